package io.sluice.server.workloads;

import io.sluice.core.channel.Workload;
import io.sluice.core.channel.Workloads;
import io.sluice.core.tag.Color;
import io.sluice.server.leadership.Leadership;
import io.sluice.server.workloads.WorkloadStore.Who;
import io.sluice.wire.WorkloadReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/**
 * The processes that are known. Who they are is in the database, so that one that was cut off still counts after a restart
 * of this server, as one that is not reached; what they count, and when they were heard, is in memory. Safe for all
 * threads.
 *
 * <p>Anybody may report where the data plane is open, so names may be invented. A name counts from its first report, but
 * is a guest for its first seconds: a guest is not written down, is forgotten once it is silent, and gives way to a newer
 * one where there is no room. A name that is established is pushed out by nothing. See decision 0016.
 */
@Component
class KnownWorkloads implements Workloads {
    /** Established ones and guests together, and so what the database may have to keep. */
    private static final int MOST = 10_000;

    /** Two reports of a process lie two seconds apart. */
    private static final long GUEST_NANOS = Duration.ofSeconds(3).toNanos();

    private static final Logger log = LoggerFactory.getLogger(KnownWorkloads.class);

    private final WorkloadStore store;
    private final Leadership leadership;
    private final LongSupplier nanoClock;
    private final int most;

    // All guarded by this.
    private final Map<String, Known> known = new TreeMap<>();
    private long epoch;
    private long since;
    private boolean overflowIsLogged;

    @Autowired
    KnownWorkloads(WorkloadStore store, Leadership leadership) {
        this(store, leadership, System::nanoTime, MOST);
    }

    KnownWorkloads(WorkloadStore store, Leadership leadership, LongSupplier nanoClock, int most) {
        this.store = store;
        this.leadership = leadership;
        this.nanoClock = nanoClock;
        this.most = most;
        load();
    }

    private void load() {
        epoch = leadership.epoch();
        since = nanoClock.getAsLong();
        known.clear();
        store.all().forEach(who -> known.put(who.instance(), Known.ofBefore(who)));
    }

    /** Processes report to the server that leads; what this one remembers of another term is out of date. */
    private void startAnewInANewTerm() {
        if (leadership.epoch() != epoch) {
            load();
        }
    }

    /** Takes a report. The last one that a process sends makes it unknown. */
    synchronized void take(WorkloadReport report) {
        startAnewInANewTerm();
        long now = nanoClock.getAsLong();
        Known before = known.get(report.instance());
        if (report.leaving()) {
            forget(report.instance());
            return;
        }
        if (before == null) {
            makeRoom(now);
            known.put(report.instance(), Known.guest(report, now));
            return;
        }
        Known after = before.heard(report, now);
        // Before it counts: the database may fail here, and then the process reports again.
        if (after.established && !(before.established && before.who.equals(after.who))) {
            store.save(after.who);
        }
        known.put(report.instance(), after);
    }

    /** Strikes off a process that will not come back to say goodbye. @return who it was; empty when it is not known */
    synchronized Optional<Workload> strikeOff(String instance) {
        startAnewInANewTerm();
        Known struck = known.get(instance);
        if (struck == null) {
            return Optional.empty();
        }
        forget(instance);
        return Optional.of(struck.toWorkload(nanoClock.getAsLong(), since));
    }

    @Override
    public synchronized List<Workload> all() {
        startAnewInANewTerm();
        long now = nanoClock.getAsLong();
        known.values().removeIf(one -> one.isGone(now));
        List<Workload> all = new ArrayList<>(known.size());
        known.values().forEach(one -> all.add(one.toWorkload(now, since)));
        return all;
    }

    private void forget(String instance) {
        Known gone = known.get(instance);
        if (gone != null && gone.established) {
            store.delete(instance);
        }
        known.remove(instance);
    }

    private void makeRoom(long now) {
        if (known.size() < most) {
            return;
        }
        known.values().removeIf(one -> one.isGone(now));
        if (known.size() < most) {
            return;
        }
        if (!overflowIsLogged) {
            overflowIsLogged = true;
            log.warn("more than {} processes report; new ones are passed over or take each other's places", most);
        }
        Known oldest = known.values().stream()
                .filter(one -> !one.established)
                .min(Comparator.comparingLong(one -> one.heardNanos - now))
                .orElseThrow(() -> new ResponseStatusException(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        most + " processes are known already; strike off those that are gone"));
        known.remove(oldest.who.instance());
    }

    /**
     * A process. @param report null for one that was not heard since this server started
     *
     * @param established whether it is written down
     */
    private record Known(
            Who who, @Nullable WorkloadReport report, boolean established, long firstNanos, long heardNanos) {
        static Known ofBefore(Who who) {
            return new Known(who, null, true, 0, 0);
        }

        static Known guest(WorkloadReport report, long now) {
            return new Known(whoOf(report), report, false, now, now);
        }

        Known heard(WorkloadReport newer, long now) {
            return new Known(whoOf(newer), newer, established || now - firstNanos >= GUEST_NANOS, firstNanos, now);
        }

        boolean isGone(long now) {
            return !established && now - heardNanos >= Workload.UNREACHED_AFTER.toNanos();
        }

        Workload toWorkload(long now, long since) {
            if (report == null) {
                // At least so long: how long this server was away, it does not know.
                Duration unheard = Workload.UNREACHED_AFTER.plusNanos(now - since);
                return workload(false, false, 0, 0, 0, 0, 0, "", unheard);
            }
            return workload(
                    report.ready(),
                    report.registered(),
                    report.requests(),
                    report.underWay(),
                    report.crossed(),
                    report.epoch(),
                    report.revision(),
                    report.refusal(),
                    Duration.ofNanos(now - heardNanos));
        }

        private Workload workload(
                boolean ready,
                boolean registered,
                long requests,
                long underWay,
                long crossed,
                long epoch,
                long revision,
                String refusal,
                Duration unheard) {
            return new Workload(
                    who.service(),
                    who.instance(),
                    who.color(),
                    who.version(),
                    ready,
                    registered,
                    requests,
                    underWay,
                    crossed,
                    epoch,
                    revision,
                    refusal,
                    unheard);
        }

        private static Who whoOf(WorkloadReport report) {
            Color color = report.color();
            return new Who(report.service(), report.instance(), color, report.version());
        }
    }
}
