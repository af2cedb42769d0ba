package io.sluice.server.observations;

import io.sluice.core.decision.Lane;
import io.sluice.core.guard.Crowd;
import io.sluice.core.guard.Seen;
import io.sluice.core.observation.Tally;
import io.sluice.core.release.Evidence;
import io.sluice.core.release.Release;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.wire.ObservationBatch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * What was seen, by release, step, reporter and lane. Totals live here and are saved every second, so that a server that
 * dies goes on from its evidence; the series of the last minutes lives here only. Safe for all threads.
 *
 * <p>Bounded by the rules: only releases that processes know of are counted, only on their newest two steps (requests
 * that began before a change of weight are told of after it), and only so many reporters each.
 */
@Component
@Lazy(false)
public class Observations implements Evidence {
    private static final Logger log = LoggerFactory.getLogger(Observations.class);
    private static final int MOST_EDGES = 50;
    private static final long LARGEST_TALLY = 1_000_000_000L;

    // Up to here the guard's comparisons are exact; a total that has come so far stays.
    private static final long LARGEST_TOTAL = 1_000_000_000_000L;

    private final RuleSource rules;
    private final TallyStore store;
    private final InstantSource clock;
    private final LongSupplier nanoClock;

    // All guarded by this.
    private final Reporters reporters = new Reporters();
    private final Map<StepKey, Map<String, Tallies>> totals = new HashMap<>();
    private final Map<StepKey, Set<String>> unsaved = new HashMap<>();
    private final Map<StepKey, Map<String, Long>> canaryHeard = new HashMap<>();
    private final Map<String, Map<String, Map<Lane, Series>>> series = new HashMap<>();
    private boolean overflowIsLogged;

    @Autowired
    Observations(RuleSource rules, TallyStore store, InstantSource clock) {
        this(rules, store, clock, System::nanoTime);
    }

    Observations(RuleSource rules, TallyStore store, InstantSource clock, LongSupplier nanoClock) {
        this.rules = rules;
        this.store = store;
        this.clock = clock;
        this.nanoClock = nanoClock;
    }

    /** Counts a batch, once however often it comes. What belongs to no live step is passed over. */
    synchronized void take(ObservationBatch batch) {
        // Before the batch counts as taken: the database may fail here, and then the reporter sends it again.
        List<ObservationBatch.Entry> wanted = new ArrayList<>();
        for (ObservationBatch.Entry entry : batch.entries()) {
            StepKey key = new StepKey(entry.key().release(), entry.key().step());
            if (isCounted(key, batch.service(), entry.tally().requests())) {
                wanted.add(entry);
            }
        }
        if (reporters.isNew(batch, nanoClock.getAsLong())) {
            wanted.forEach(entry -> add(batch.service(), entry));
        }
    }

    /** A canary that was not heard of since the start of this process counts as silent for ever, whatever was saved. */
    @Override
    public synchronized Map<String, Seen> of(Release release) {
        StepKey key = new StepKey(release.id(), release.step());
        Map<String, Long> heard = canaryHeard.getOrDefault(key, Map.of());
        long now = nanoClock.getAsLong();
        Map<String, Seen> seen = new HashMap<>();
        board(key).forEach((service, tallies) -> {
            Long last = heard.get(service);
            Duration silence = last == null ? Duration.ofDays(10_000) : Duration.ofNanos(Math.max(0, now - last));
            seen.put(
                    service,
                    new Seen(
                            tallies.canary(),
                            tallies.canary(),
                            tallies.stable(),
                            silence,
                            Duration.ZERO,
                            List.of(),
                            Crowd.NOBODY));
        });
        return seen;
    }

    /** The totals of a step by reporter, in alphabetical order. */
    public synchronized Map<String, Tallies> totals(String release, long step) {
        StepKey key = new StepKey(release, step);
        Map<String, Tallies> known = totals.get(key);
        return new TreeMap<>(known == null ? store.load(key) : known);
    }

    /** The series of a release by reporter and lane, from so many seconds ago. */
    synchronized Map<String, Map<Lane, List<Series.Point>>> series(String release, long seconds) {
        long first = clock.instant().getEpochSecond() - seconds + 1;
        Map<String, Map<Lane, List<Series.Point>>> found = new TreeMap<>();
        series.getOrDefault(release, Map.of()).forEach((service, lanes) -> {
            Map<Lane, List<Series.Point>> points = new TreeMap<>();
            lanes.forEach((lane, values) -> points.put(lane, values.since(first)));
            found.put(service, points);
        });
        return found;
    }

    /** Who was heard within some time. */
    synchronized List<Heard> heardWithin(Duration time) {
        long now = nanoClock.getAsLong();
        return reporters.heardSince(now - time.toNanos()).stream()
                .map(reporter -> new Heard(
                        reporter.instance(),
                        reporter.service(),
                        reporter.version(),
                        TimeUnit.NANOSECONDS.toMillis(now - reporter.heardNanos())))
                .toList();
    }

    /** A reporter that was heard. */
    record Heard(String instance, String service, String version, long lastSeenMillisAgo) {}

    /** Saves what changed and forgets what no process reports on any more. */
    @Scheduled(fixedDelay = 1000)
    void save() {
        Map<StepKey, Map<String, Tallies>> changed = takeUnsaved();
        try {
            store.save(changed);
        } catch (RuntimeException failed) {
            putBack(changed);
            throw failed;
        }
        forget();
    }

    private synchronized Map<StepKey, Map<String, Tallies>> takeUnsaved() {
        Map<StepKey, Map<String, Tallies>> changed = new HashMap<>();
        unsaved.forEach((key, services) -> {
            Map<String, Tallies> board = new HashMap<>(totals.getOrDefault(key, Map.of()));
            board.keySet().retainAll(services);
            changed.put(key, board);
        });
        unsaved.clear();
        return changed;
    }

    private synchronized void putBack(Map<StepKey, Map<String, Tallies>> failed) {
        failed.forEach((key, services) ->
                unsaved.computeIfAbsent(key, any -> new HashSet<>()).addAll(services.keySet()));
    }

    private synchronized void forget() {
        RuleSet current = rules.current();
        totals.keySet().removeIf(key -> !isRecent(key, current) && !unsaved.containsKey(key));
        canaryHeard.keySet().removeIf(key -> !isRecent(key, current));
        series.keySet().removeIf(release -> current.release(release) == null);
    }

    private static boolean isRecent(StepKey key, RuleSet rules) {
        ReleaseRule rule = rules.release(key.release());
        return rule != null && key.step() <= rule.step() && key.step() >= rule.step() - 1;
    }

    private boolean isCounted(StepKey key, String service, Tally tally) {
        RuleSet current = rules.current();
        ReleaseRule rule = current.release(key.release());
        if (rule == null || !isRecent(key, current) || tally.count() == 0 || tally.count() > LARGEST_TALLY) {
            return false;
        }
        Map<String, Tallies> board = board(key);
        if (board.getOrDefault(service, Tallies.NOTHING).requests() > LARGEST_TOTAL) {
            return false;
        }
        boolean fits = rule.covers(service)
                || board.containsKey(service)
                || board.size() < rule.services().size() + MOST_EDGES;
        if (!fits && !overflowIsLogged) {
            overflowIsLogged = true;
            log.warn(
                    "release {} has more than {} edges; {} and others are not counted", rule.id(), MOST_EDGES, service);
        }
        return fits;
    }

    private void add(String service, ObservationBatch.Entry entry) {
        StepKey key = new StepKey(entry.key().release(), entry.key().step());
        Lane lane = entry.key().lane();
        board(key).merge(service, Tallies.NOTHING.plus(lane, entry.tally().requests()), Tallies::merge);
        unsaved.computeIfAbsent(key, any -> new HashSet<>()).add(service);
        if (lane == Lane.CANARY) {
            canaryHeard.computeIfAbsent(key, any -> new HashMap<>()).put(service, nanoClock.getAsLong());
        }
        series.computeIfAbsent(key.release(), any -> new HashMap<>())
                .computeIfAbsent(service, any -> new HashMap<>())
                .computeIfAbsent(lane, any -> new Series())
                .add(clock.instant().getEpochSecond(), entry.tally().requests());
    }

    private Map<String, Tallies> board(StepKey key) {
        @Nullable Map<String, Tallies> known = totals.get(key);
        if (known != null) {
            return known;
        }
        Map<String, Tallies> loaded = store.load(key);
        totals.put(key, loaded);
        return loaded;
    }
}
