package io.sluice.server.channels;

import io.sluice.core.channel.ChannelRelease;
import io.sluice.core.channel.Workload;
import io.sluice.core.channel.Workloads;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.server.audit.Journal;
import io.sluice.server.leadership.Leadership;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Watches what share of the requests each instance of a channel gets, and tells of those that get far too much. */
@Component
@Lazy(false)
class ShareWatch {
    private static final Logger log = LoggerFactory.getLogger(ShareWatch.class);

    private final Workloads workloads;
    private final RuleSource published;
    private final JdbcChannelStore releases;
    private final Journal journal;
    private final TransactionTemplate transaction;
    private final Leadership leadership;
    private final InstantSource clock;
    private final LongSupplier nanoClock;

    // Guarded by this.
    private final Imbalance imbalance;

    @Autowired
    ShareWatch(
            @Value("${sluice.imbalance:2}") double limit,
            Workloads workloads,
            RuleSource published,
            JdbcChannelStore releases,
            Journal journal,
            TransactionTemplate transaction,
            Leadership leadership,
            InstantSource clock) {
        this(limit, workloads, published, releases, journal, transaction, leadership, clock, System::nanoTime);
    }

    ShareWatch(
            double limit,
            Workloads workloads,
            RuleSource published,
            JdbcChannelStore releases,
            Journal journal,
            TransactionTemplate transaction,
            Leadership leadership,
            InstantSource clock,
            LongSupplier nanoClock) {
        if (!(limit > 1)) {
            throw new RefusedException("sluice.imbalance", String.valueOf(limit), "must be a number above 1, like 2");
        }
        this.workloads = workloads;
        this.published = published;
        this.releases = releases;
        this.journal = journal;
        this.transaction = transaction;
        this.leadership = leadership;
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.imbalance = new Imbalance(limit);
    }

    /** What an instance gets; null for one that is in no channel or was not looked at yet. */
    synchronized Imbalance.@Nullable Rate of(String instance) {
        return imbalance.of(instance);
    }

    @Scheduled(fixedRate = 1000)
    void look() {
        // Processes report to the server that leads.
        leadership.lead(this::lookOnce);
    }

    private void lookOnce() {
        RuleSet rules = published.current();
        for (Imbalance.Change change : sample(rules)) {
            tell(change, rules.channelOf(change.service()));
        }
    }

    private synchronized List<Imbalance.Change> sample(RuleSet rules) {
        if (rules.channels().isEmpty()) {
            return imbalance.sample(List.of(), nanoClock.getAsLong());
        }
        List<Workload> all = workloads.all();
        List<Imbalance.Load> loads = new ArrayList<>();
        for (Channel channel : rules.channels()) {
            List<Workload> own =
                    all.stream().filter(each -> channel.covers(each.service())).toList();
            Map<String, Double> planned = PlannedShares.of(channel, own);
            own.stream()
                    .filter(Workload::isReached)
                    .map(each -> new Imbalance.Load(
                            each.service(),
                            each.instance(),
                            Objects.requireNonNull(planned.get(each.instance())),
                            each.requests()))
                    .forEach(loads::add);
        }
        return imbalance.sample(loads, nanoClock.getAsLong());
    }

    private void tell(Imbalance.Change change, @Nullable Channel channel) {
        String multiple = String.format(Locale.ROOT, "%.1f times its share", change.multiple());
        if (change.began()) {
            log.warn("{} has had {} of the requests for ten seconds", change.instance(), multiple);
        }
        String release = channel == null
                ? Journal.SERVER
                : releases.open().stream()
                        .filter(each -> each.spec().channel().equals(channel.id()))
                        .map(ChannelRelease::id)
                        .findFirst()
                        .orElse(Journal.SERVER);
        JournalEntry entry = new JournalEntry(
                clock.instant(),
                release,
                JournalEntry.ORCHESTRATOR,
                change.began() ? "imbalance" : "imbalance-over",
                change.instance() + (change.began() ? " gets " : " got up to ") + multiple,
                multiple,
                null);
        transaction.executeWithoutResult(status -> {
            leadership.requireStill();
            journal.append(entry);
        });
    }
}
