package io.sluice.core.observation;

import io.sluice.core.decision.Lane;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.TrafficTag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests of one process by release, step and lane, in bounded memory.
 *
 * <p>A request is counted under the rules that held when it began, so one that ends after a change of weight never
 * stains the next stage. Counters of the last {@value #KEPT_BOARDS} rule sets are kept for such stragglers; one that
 * outlives even those is not counted.
 */
public final class ObservationRecorder implements ObservationSink, AutoCloseable {
    private static final int KEPT_BOARDS = 8;

    private final Vantage vantage;
    private final RuleSource.Subscription subscription;
    private final Deque<Board> boards = new ArrayDeque<>();
    private final Map<ObservationKey, LaneTally> ofDroppedBoards = new HashMap<>();
    private volatile Board current;

    public ObservationRecorder(Vantage vantage, RuleSource rules) {
        this.vantage = vantage;
        this.current = Board.of(RuleSet.empty(), vantage);
        this.subscription = rules.subscribe(this::follow);
    }

    @Override
    public Exchange begin(TrafficTag tag) {
        Board board = current;
        return (latencyNanos, failed) -> board.record(tag, latencyNanos, failed);
    }

    /** Takes out what was counted since the last drain; without the keys that counted nothing. */
    public synchronized Map<ObservationKey, LaneTally> drain() {
        Map<ObservationKey, LaneTally> drained = new HashMap<>(ofDroppedBoards);
        ofDroppedBoards.clear();
        for (Board board : boards) {
            board.drainInto(drained);
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

    private synchronized void follow(RuleSet rules) {
        Board board = current.next(rules, vantage);
        current = board;
        boards.addLast(board);
        if (boards.size() > KEPT_BOARDS) {
            boards.removeFirst().drainInto(ofDroppedBoards);
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
            for (ReleaseRule rule : newer.releases()) {
                if (vantage.sees(rule)) {
                    Row known = rowOf(rule);
                    next.add(known == null ? Row.of(rule) : known.with(rule));
                }
            }
            return new Board(newer, vantage, List.copyOf(next));
        }

        void record(TrafficTag tag, long latencyNanos, boolean failed) {
            for (int i = 0; i < rows.size(); i++) {
                Row row = rows.get(i);
                Lane lane = vantage.laneOf(row.rule, tag);
                (lane == Lane.CANARY ? row.canary : row.stable).record(latencyNanos, failed);
            }
        }

        void drainInto(Map<ObservationKey, LaneTally> drained) {
            for (Row row : rows) {
                row.drainInto(drained, Lane.CANARY, row.canary);
                row.drainInto(drained, Lane.STABLE, row.stable);
            }
        }

        private @Nullable Row rowOf(ReleaseRule rule) {
            for (Row row : rows) {
                if (row.rule.id().equals(rule.id())
                        && row.rule.step() == rule.step()
                        && row.rule.slowerThan().equals(rule.slowerThan())) {
                    return row;
                }
            }
            return null;
        }
    }

    private record Row(ReleaseRule rule, LaneCounter stable, LaneCounter canary) {
        static Row of(ReleaseRule rule) {
            long slower = rule.slowerThan().toNanos();
            return new Row(rule, new LaneCounter(slower), new LaneCounter(slower));
        }

        Row with(ReleaseRule newer) {
            return new Row(newer, stable, canary);
        }

        void drainInto(Map<ObservationKey, LaneTally> drained, Lane lane, LaneCounter counter) {
            LaneTally tally = LaneTally.of(counter.drain());
            if (!tally.isEmpty()) {
                drained.merge(
                        new ObservationKey(rule.id(), rule.step(), lane),
                        tally,
                        (one, other) -> one.merge(other, CustomerSample.MOST_IN_REPORT));
            }
        }
    }
}
