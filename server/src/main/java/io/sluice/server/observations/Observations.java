package io.sluice.server.observations;

import io.sluice.core.channel.ChannelStore;
import io.sluice.core.decision.Lane;
import io.sluice.core.guard.Seen;
import io.sluice.core.guard.Verdict;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.Tally;
import io.sluice.core.release.Evidence;
import io.sluice.core.release.ReleaseStore;
import io.sluice.core.release.Subject;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.Watched;
import io.sluice.server.leadership.Leadership;
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
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What was seen, by release, step, reporter and lane, and core's evidence made from it. Everything that decides lives here
 * and is saved every second, so that a server that dies goes on from its evidence; the series of the last minutes lives
 * here only. Safe for all threads.
 *
 * <p>Bounded by the rules: only releases that processes know of are counted, only on their newest two steps (requests
 * that began before a change of weight are told of after it), and only so many reporters each. Evidence is only what
 * belongs to the newest step, as long as it is not aborted.
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
    private final Subjects subjects;
    private final TallyStore tallies;
    private final EvidenceStore evidence;
    private final TransactionTemplate transaction;
    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private final Leadership leadership;

    // All guarded by this.
    private final Reporters reporters = new Reporters();
    private final Map<StepKey, Map<String, Tallies>> totals = new HashMap<>();
    private final Map<StepKey, Set<String>> unsaved = new HashMap<>();
    private final Map<StepKey, StageEvidence> stages = new HashMap<>();
    private final Map<String, Map<String, Map<Lane, Series>>> series = new HashMap<>();
    private boolean overflowIsLogged;
    private long epoch;

    @Autowired
    Observations(
            RuleSource rules,
            ReleaseStore releases,
            ChannelStore channels,
            TallyStore tallies,
            EvidenceStore evidence,
            TransactionTemplate transaction,
            InstantSource clock,
            Leadership leadership) {
        this(
                rules,
                Subjects.of(releases, channels),
                tallies,
                evidence,
                transaction,
                clock,
                System::nanoTime,
                leadership);
    }

    Observations(
            RuleSource rules,
            Subjects subjects,
            TallyStore tallies,
            EvidenceStore evidence,
            TransactionTemplate transaction,
            InstantSource clock,
            LongSupplier nanoClock) {
        this(rules, subjects, tallies, evidence, transaction, clock, nanoClock, Leadership.alone());
    }

    private Observations(
            RuleSource rules,
            Subjects subjects,
            TallyStore tallies,
            EvidenceStore evidence,
            TransactionTemplate transaction,
            InstantSource clock,
            LongSupplier nanoClock,
            Leadership leadership) {
        this.rules = rules;
        this.subjects = subjects;
        this.tallies = tallies;
        this.evidence = evidence;
        this.transaction = transaction;
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.leadership = leadership;
        this.epoch = leadership.epoch();
    }

    /**
     * Counts a batch, once however often it comes. What belongs to no live step is passed over.
     *
     * @throws io.sluice.server.leadership.NotLeaderException when the batch belongs to another server
     */
    synchronized void take(ObservationBatch batch) {
        leadership.requireLeader();
        startAnewInANewTerm();
        // Before the batch counts as taken: the database may fail here, and then the reporter sends it again.
        List<ObservationBatch.Entry> wanted = new ArrayList<>();
        for (ObservationBatch.Entry entry : batch.entries()) {
            StepKey key = key(entry);
            if (isCounted(key, batch.service(), entry.tally())) {
                stage(key);
                wanted.add(entry);
            }
        }
        if (reporters.isNew(batch, nanoClock.getAsLong())) {
            wanted.forEach(entry -> add(batch, entry));
        }
    }

    /** A canary that was not heard of since the start of this process counts as silent for ever, whatever was saved. */
    @Override
    public synchronized Map<String, Seen> of(Subject subject) {
        startAnewInANewTerm();
        return stage(subject).look(nanoClock.getAsLong());
    }

    @Override
    public synchronized void judged(Subject subject, Verdict verdict) {
        startAnewInANewTerm();
        stage(subject).note(verdict.findings(), nanoClock.getAsLong());
    }

    /** How the evidence of a step went, by reporter and metric; empty before its first look. */
    public synchronized List<EvidenceCurve> curves(String release, long step) {
        startAnewInANewTerm();
        StepKey key = new StepKey(release, step);
        StageEvidence known = stages.get(key);
        return known == null || !leadership.isLeader() ? evidence.loadCurves(key) : known.curves();
    }

    /** The totals of a step by reporter, in alphabetical order. */
    public synchronized Map<String, Tallies> totals(String release, long step) {
        startAnewInANewTerm();
        StepKey key = new StepKey(release, step);
        Map<String, Tallies> known = totals.get(key);
        return new TreeMap<>(known == null || !leadership.isLeader() ? tallies.load(key) : known);
    }

    /**
     * What is in memory is of the term in which it was loaded; meanwhile another server may have counted on. A lease that
     * was late and is still ours is no new term.
     */
    private void startAnewInANewTerm() {
        long now = leadership.epoch();
        if (now != 0 && now != epoch) {
            totals.clear();
            unsaved.clear();
            stages.clear();
            series.clear();
            epoch = now;
        }
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

    /** Saves what changed, all or none, and forgets what no process reports on any more. */
    @Scheduled(fixedDelay = 1000)
    void save() {
        leadership.lead(this::saveChanged);
    }

    private void saveChanged() {
        Unsaved changed = takeUnsaved();
        try {
            if (!changed.isEmpty()) {
                transaction.executeWithoutResult(status -> {
                    leadership.requireStill();
                    tallies.save(changed.totals);
                    evidence.save(changed.evidence);
                });
            }
        } catch (RuntimeException failed) {
            putBack(changed);
            throw failed;
        }
        forget().forEach(evidence::dropBefore);
    }

    /** What is to be saved, of one moment. */
    private record Unsaved(
            Map<StepKey, Map<String, Tallies>> totals, Map<StepKey, List<EvidenceStore.Piece>> evidence) {
        boolean isEmpty() {
            return totals.isEmpty() && evidence.isEmpty();
        }
    }

    private synchronized Unsaved takeUnsaved() {
        startAnewInANewTerm();
        Unsaved changed = new Unsaved(new HashMap<>(), new HashMap<>());
        unsaved.forEach((key, services) -> {
            Map<String, Tallies> board = new HashMap<>(totals.getOrDefault(key, Map.of()));
            board.keySet().retainAll(services);
            changed.totals.put(key, board);
        });
        unsaved.clear();
        stages.forEach((key, stage) -> {
            List<EvidenceStore.Piece> pieces = stage.changed();
            pieces.forEach(stage::noteSaved);
            if (!pieces.isEmpty()) {
                changed.evidence.put(key, pieces);
            }
        });
        return changed;
    }

    private synchronized void putBack(Unsaved failed) {
        failed.totals.forEach((key, services) ->
                unsaved.computeIfAbsent(key, any -> new HashSet<>()).addAll(services.keySet()));
        failed.evidence.forEach((key, pieces) -> {
            StageEvidence stage = stages.get(key);
            if (stage != null) {
                pieces.forEach(stage::noteUnsaved);
            }
        });
    }

    /** @return the newest steps of the releases of which something was forgotten */
    private synchronized List<StepKey> forget() {
        RuleSet current = rules.current();
        totals.keySet().removeIf(key -> !isRecent(key, current) && !unsaved.containsKey(key));
        series.keySet().removeIf(release -> watched(current, release) == null);
        List<StepKey> newest = new ArrayList<>();
        stages.entrySet().removeIf(entry -> {
            Watched rule = watched(current, entry.getKey().release());
            boolean isOver = rule == null || entry.getKey().step() < rule.step();
            if (!isOver || !entry.getValue().changed().isEmpty()) {
                return false;
            }
            if (rule != null) {
                newest.add(new StepKey(rule.release(), rule.step()));
            }
            return true;
        });
        return newest;
    }

    /** A release whose requests are counted; null for one that processes do not know of. */
    private static @Nullable Watched watched(RuleSet rules, String release) {
        for (Watched watched : rules.watched()) {
            if (watched.release().equals(release)) {
                return watched;
            }
        }
        return null;
    }

    private static boolean isRecent(StepKey key, RuleSet rules) {
        Watched rule = watched(rules, key.release());
        return rule != null && key.step() <= rule.step() && key.step() >= rule.step() - 1;
    }

    private boolean isCounted(StepKey key, String service, LaneTally tally) {
        RuleSet current = rules.current();
        Watched rule = watched(current, key.release());
        long largest = Math.max(
                Math.max(tally.requests().count(), tally.overdue()),
                tally.customers().anonymous());
        if (rule == null || !isRecent(key, current) || tally.isEmpty() || largest > LARGEST_TALLY) {
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
                    "release {} has more than {} edges; {} and others are not counted",
                    rule.release(),
                    MOST_EDGES,
                    service);
        }
        return fits;
    }

    private void add(ObservationBatch batch, ObservationBatch.Entry entry) {
        StepKey key = key(entry);
        Lane lane = entry.key().lane();
        StageEvidence stage = stage(key);
        if (stage != null) {
            // Two processes under one name must not take each other's requests under way for their own.
            String instance = batch.instance() + "#" + batch.run();
            stage.add(group(key, batch.service()), instance, lane, entry.tally().plausible(), nanoClock.getAsLong());
        }
        Tally requests = entry.tally().requests();
        if (requests.count() == 0) {
            return;
        }
        board(key).merge(batch.service(), Tallies.NOTHING.plus(lane, requests), Tallies::merge);
        unsaved.computeIfAbsent(key, any -> new HashSet<>()).add(batch.service());
        series.computeIfAbsent(key.release(), any -> new HashMap<>())
                .computeIfAbsent(batch.service(), any -> new HashMap<>())
                .computeIfAbsent(lane, any -> new Series())
                .add(clock.instant().getEpochSecond(), requests);
    }

    private static StepKey key(ObservationBatch.Entry entry) {
        return new StepKey(entry.key().release(), entry.key().step());
    }

    private String group(StepKey key, String service) {
        Watched rule = watched(rules.current(), key.release());
        return rule != null && rule.covers(service) ? service : EDGES;
    }

    /** The evidence that a report belongs to; null when nobody will judge it any more. */
    private @Nullable StageEvidence stage(StepKey key) {
        Watched rule = watched(rules.current(), key.release());
        if (rule == null || rule.step() != key.step() || rule instanceof ReleaseRule canary && canary.isAborted()) {
            return null;
        }
        StageEvidence known = stages.get(key);
        if (known != null) {
            return known;
        }
        // Somebody may have moved it on a moment ago, and the rules will follow.
        return subjects.of(key.release())
                .filter(subject -> subject.step() == key.step())
                .map(this::stage)
                .orElse(null);
    }

    private StageEvidence stage(Subject subject) {
        StepKey key = new StepKey(subject.release(), subject.step());
        StageEvidence known = stages.get(key);
        if (known != null) {
            return known;
        }
        StageEvidence restored =
                new StageEvidence(subject.watching(), evidence.load(key), clock.millis(), nanoClock.getAsLong());
        stages.put(key, restored);
        return restored;
    }

    private Map<String, Tallies> board(StepKey key) {
        @Nullable Map<String, Tallies> known = totals.get(key);
        if (known != null) {
            return known;
        }
        Map<String, Tallies> loaded = tallies.load(key);
        totals.put(key, loaded);
        return loaded;
    }
}
