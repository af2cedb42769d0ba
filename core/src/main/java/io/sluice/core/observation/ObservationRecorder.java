package io.sluice.core.observation;

import io.sluice.core.decision.Lane;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.Watched;
import io.sluice.core.tag.TrafficTag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests and the customers of one process by release, step and lane, in bounded memory.
 *
 * <p>A request is counted under the rules that held when it began, so one that ends after a change of weight never
 * stains the next stage. Counters of the last {@value #KEPT_BOARDS} rule sets are kept for such stragglers; one that
 * outlives even those is not counted.
 *
 * <p>Requests under way are followed too, so that those which never end are told of: by the second they began in, never
 * too early. Requests begin and end on any thread without locks; what they allocate is the exchange, 24 bytes.
 */
public final class ObservationRecorder implements ObservationSink, AutoCloseable {
    private static final int KEPT_BOARDS = 8;

    private final Vantage vantage;
    private final LongSupplier nanoClock;
    private final long started;
    private final AtomicInteger latestSecond = new AtomicInteger();
    private final RuleSource.Subscription subscription;
    private final Deque<Board> boards = new ArrayDeque<>();
    private final Map<ObservationKey, LaneTally> ofDroppedBoards = new HashMap<>();
    private volatile Board current;

    public ObservationRecorder(Vantage vantage, RuleSource rules) {
        this(vantage, rules, System::nanoTime);
    }

    /** @param nanoClock like {@link System#nanoTime}; one that runs back counts as standing still */
    public ObservationRecorder(Vantage vantage, RuleSource rules, LongSupplier nanoClock) {
        this.vantage = vantage;
        this.nanoClock = nanoClock;
        this.started = nanoClock.getAsLong();
        this.current = Board.of(RuleSet.empty(), vantage);
        this.subscription = rules.subscribe(this::follow);
    }

    @Override
    public Exchange begin(TrafficTag tag) {
        Board board = current;
        int second = second();
        board.begin(tag, second);
        return new Request(board, tag, second);
    }

    /**
     * Takes out what was counted since the last drain, and tells how many requests are overdue; without the keys of which
     * there is nothing to say.
     */
    public synchronized Map<ObservationKey, LaneTally> drain() {
        Map<ObservationKey, LaneTally> drained = new HashMap<>(ofDroppedBoards);
        ofDroppedBoards.clear();
        long now = nanoClock.getAsLong() - started;
        // Boards share the counters of what did not change between them, and overdue requests would count twice.
        Set<LaneRecorder> done = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Board board : boards) {
            board.drainInto(drained, lane -> done.add(lane) ? lane.drain(now) : LaneTally.empty());
        }
        return drained;
    }

    /** Where this recorder stands. */
    public Vantage vantage() {
        return vantage;
    }

    @Override
    public void close() {
        subscription.close();
    }

    private int second() {
        int second = (int) TimeUnit.NANOSECONDS.toSeconds(nanoClock.getAsLong() - started);
        int latest = latestSecond.get();
        return second <= latest ? latest : latestSecond.accumulateAndGet(second, Math::max);
    }

    private synchronized void follow(RuleSet rules) {
        Board board = current.next(rules, vantage);
        current = board;
        boards.addLast(board);
        if (boards.size() > KEPT_BOARDS) {
            boards.removeFirst().drainInto(ofDroppedBoards, LaneRecorder::drain);
        }
    }

    /** A request under way. */
    private static final class Request implements Exchange {
        private static final int ENDED = -1;
        private static final AtomicIntegerFieldUpdater<Request> SECOND =
                AtomicIntegerFieldUpdater.newUpdater(Request.class, "second");

        private final Board board;
        private final TrafficTag tag;
        private volatile int second;

        Request(Board board, TrafficTag tag, int second) {
            this.board = board;
            this.tag = tag;
            this.second = second;
        }

        @Override
        public void end(long latencyNanos, boolean failed) {
            int began = SECOND.getAndSet(this, ENDED);
            if (began != ENDED) {
                board.end(tag, began, latencyNanos, failed);
            }
        }
    }

    /** The counters that belong to one rule set. */
    private record Board(RuleSet rules, Vantage vantage, List<Row> rows) {
        static Board of(RuleSet rules, Vantage vantage) {
            return new Board(rules, vantage, List.of());
        }

        /** The board of newer rules: a release whose step did not change goes on with its counters. */
        Board next(RuleSet newer, Vantage vantage) {
            List<Row> next = new ArrayList<>();
            for (Watched rule : newer.watched()) {
                if (vantage.sees(rule)) {
                    Row known = rowOf(rule);
                    next.add(known == null ? Row.of(rule) : known.with(rule));
                }
            }
            return new Board(newer, vantage, List.copyOf(next));
        }

        void begin(TrafficTag tag, int second) {
            for (int i = 0; i < rows.size(); i++) {
                laneOf(rows.get(i), tag).begin(second);
            }
        }

        void end(TrafficTag tag, int second, long latencyNanos, boolean failed) {
            if (rows.isEmpty()) {
                return;
            }
            String uid = tag.uid();
            long customer = uid.isEmpty() ? 0 : CustomerHash.of(uid);
            for (int i = 0; i < rows.size(); i++) {
                Row row = rows.get(i);
                LaneRecorder lane = laneOf(row, tag);
                if (uid.isEmpty() && vantage.placesByRequest()) {
                    lane.endAnonymous(second, latencyNanos, failed);
                } else if (!uid.isEmpty() && row.rule.isByChance(uid)) {
                    lane.end(second, customer, latencyNanos, failed);
                } else {
                    lane.end(second, latencyNanos, failed);
                }
            }
        }

        void drainInto(Map<ObservationKey, LaneTally> drained, Function<LaneRecorder, LaneTally> drain) {
            for (Row row : rows) {
                row.addTo(drained, Lane.CANARY, drain.apply(row.canary));
                row.addTo(drained, Lane.STABLE, drain.apply(row.stable));
            }
        }

        private LaneRecorder laneOf(Row row, TrafficTag tag) {
            return vantage.laneOf(row.rule, tag) == Lane.CANARY ? row.canary : row.stable;
        }

        private @Nullable Row rowOf(Watched rule) {
            for (Row row : rows) {
                if (row.rule.release().equals(rule.release())
                        && row.rule.step() == rule.step()
                        && row.rule.slowerThan().equals(rule.slowerThan())
                        && row.rule.overdueAfter().equals(rule.overdueAfter())) {
                    return row;
                }
            }
            return null;
        }
    }

    private record Row(Watched rule, LaneRecorder stable, LaneRecorder canary) {
        static Row of(Watched rule) {
            long slower = rule.slowerThan().toNanos();
            long overdue = rule.overdueAfter().toNanos();
            return new Row(rule, new LaneRecorder(slower, overdue), new LaneRecorder(slower, overdue));
        }

        Row with(Watched newer) {
            return new Row(newer, stable, canary);
        }

        void addTo(Map<ObservationKey, LaneTally> drained, Lane lane, LaneTally tally) {
            if (!tally.isEmpty()) {
                drained.merge(
                        new ObservationKey(rule.release(), rule.step(), lane),
                        tally,
                        (one, other) -> one.merge(other, CustomerSample.MOST_IN_REPORT));
            }
        }
    }
}
