package io.sluice.migration.kit;

import static io.sluice.migration.kit.Expect.expect;
import static io.sluice.migration.kit.Expect.expectAllDone;
import static io.sluice.migration.kit.Expect.versions;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Owned;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** What holds when many threads write one key, in place and while it moves. */
final class CrowdPromises<B extends Branch, T> {
    private static final int WRITES_EACH = 8;
    private static final int WRITES_BETWEEN_MOVES = 4;
    /** So that all threads stay below what a fresh key has room for. */
    private static final int MOST_WRITES_EACH = 100;

    private static final long PAUSE_NANOS = 200_000;

    private final Trial<B, T> trial;

    CrowdPromises(Trial<B, T> trial) {
        this.trial = trial;
    }

    void concurrentWritesAddUp(Subject<B, T> subject) {
        Versioned<?> start = subject.read();
        Set<String> written = ConcurrentHashMap.newKeySet();
        List<Ended> ends = trial.atOnce(Trial.THREADS, thread -> {
            for (int i = 0; i < WRITES_EACH; i++) {
                String writeId = trial.id();
                untilItHappens(() -> subject.write(writeId));
                written.add(writeId);
            }
            return "done";
        });
        expectAllDone(ends);
        expectAddsUp(subject, start, written);
    }

    void movesLoseNothing(Subject<B, T> subject) {
        Versioned<?> start = subject.read();
        Set<String> written = ConcurrentHashMap.newKeySet();
        AtomicBoolean isOver = new AtomicBoolean();
        int writers = Trial.THREADS - 1;
        List<Ended> ends = trial.atOnce(Trial.THREADS, thread -> {
            if (thread == writers) {
                try {
                    for (int move = 1; move <= Trial.ROUNDS; move++) {
                        awaitWrites(written, move * WRITES_BETWEEN_MOVES);
                        Owned now = trial.owners().of(subject.key());
                        trial.complete(
                                trial.owners().freeze(now.key(), now.side().other(), 1));
                    }
                } finally {
                    isOver.set(true);
                }
                return "moved";
            }
            for (int i = 0; i < MOST_WRITES_EACH && !isOver.get(); i++) {
                String writeId = trial.id();
                untilItHappens(() -> {
                    Owned now = trial.owners().of(subject.key());
                    return trial.fixture()
                            .write(trial.branch(now.side()), Grant.of(now.key(), now.side(), now.epoch()), writeId);
                });
                written.add(writeId);
            }
            return "done";
        });
        expectAllDone(ends);
        subject.follow();
        expectAddsUp(subject, start, written);
    }

    private void awaitWrites(Set<String> written, int count) {
        long end = System.nanoTime() + Trial.LONGEST.toNanos();
        while (written.size() < count) {
            expect(
                    System.nanoTime() < end,
                    "only " + written.size() + " writes in " + Trial.LONGEST.toSeconds() + " s");
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void expectAddsUp(Subject<B, T> subject, Versioned<?> start, Set<String> written) {
        Versioned<?> end = subject.read();
        expect(end.version() == start.version() + written.size(), versions(written.size() + " writes", start, end));
        for (String each : written) {
            subject.undo(trial.id(), each);
        }
        Versioned<?> undone = subject.read();
        expect(undone.value().equals(start.value()), "with all undone it was " + undone + ", at the start " + start);
    }

    /** Sends a write again as long as it is certain that nothing happened. */
    private void untilItHappens(Callable<Object> write) throws Exception {
        long end = System.nanoTime() + Trial.LONGEST.toNanos();
        while (true) {
            try {
                write.call();
                return;
            } catch (NothingHappenedException again) {
                expect(
                        System.nanoTime() < end,
                        "a write was refused for " + Trial.LONGEST.toSeconds() + " s: " + again);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
