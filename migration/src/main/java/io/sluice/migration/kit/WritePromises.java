package io.sluice.migration.kit;

import static io.sluice.migration.kit.Expect.expect;
import static io.sluice.migration.kit.Expect.expectSame;
import static io.sluice.migration.kit.Expect.versions;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Versioned;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a branch promises of a write by itself, and of many at once. */
final class WritePromises<B extends Branch, T> {
    private final Trial<B, T> trial;

    WritePromises(Trial<B, T> trial) {
        this.trial = trial;
    }

    void writesAndUndoes(Subject<B, T> subject) {
        Versioned<?> start = subject.read();
        String writeId = trial.id();
        subject.write(writeId);
        Versioned<?> written = subject.read();
        expect(!written.value().equals(start.value()), "a write left the state at " + start.value());
        expect(written.version() == start.version() + 1, versions("a write", start, written));
        subject.undo(trial.id(), writeId);
        Versioned<?> undone = subject.read();
        expect(undone.value().equals(start.value()), "after undo it was " + undone + ", before the write " + start);
        expect(undone.version() == start.version() + 2, versions("a write and its inverse", start, undone));
    }

    void sameIdHappensOnce(Subject<B, T> subject) {
        String writeId = trial.id();
        Object first = subject.write(writeId);
        State written = subject.state();
        Object again = subject.write(writeId);
        expect(first.equals(again), "the write was answered with " + first + ", then with " + again);
        expectSame(written, subject.state(), "the write was sent again");

        String undoId = trial.id();
        Object undone = subject.undo(undoId, writeId);
        State restored = subject.state();
        Object undoneAgain = subject.undo(undoId, writeId);
        expect(undone.equals(undoneAgain), "the inverse was answered with " + undone + ", then with " + undoneAgain);
        expectSame(restored, subject.state(), "the inverse was sent again");
    }

    void sameIdAtOnceHappensOnce(Subject<B, T> subject) {
        for (int round = 0; round < Trial.ROUNDS; round++) {
            Versioned<?> start = subject.read();
            String writeId = trial.id();
            List<Ended> ends = trial.atOnce(Trial.THREADS, thread -> subject.write(writeId));
            List<Ended> other = ends.stream()
                    .filter(each -> !each.isAnswer() && !each.saysNothingHappened())
                    .toList();
            expect(other.isEmpty(), "one of the requests ended with " + other);
            Set<@Nullable Object> answers =
                    ends.stream().filter(Ended::isAnswer).map(Ended::answer).collect(Collectors.toSet());
            expect(answers.size() == 1, "the answers were " + answers);
            Versioned<?> written = subject.read();
            expect(
                    written.version() == start.version() + 1,
                    versions(Trial.THREADS + " requests with one id at once", start, written));
        }
    }

    void businessAnswerChangesNothing(Subject<B, T> subject) {
        State before = subject.state();
        String refusedId = trial.id();
        Ended refused = Ended.of(() -> trial.fixture().refused(subject.branch(), subject.grant(), refusedId));
        expect(refused.thrown() instanceof BusinessAnswerException, "it ended with " + refused);
        expectSame(before, subject.state(), "it was answered " + refused);
        Outcome outcome = subject.branch().outcome(subject.grant(), refusedId);
        expect(outcome == Outcome.DID_NOT_HAPPEN, "its outcome was " + outcome);
    }

    void failureIsTold(Subject<B, T> subject, Fault fault) {
        Versioned<?> start = subject.read();
        String writeId = trial.id();
        B failing = trial.fixture().failing(subject.side(), trial.fixture().fence(), fault);
        Ended failed = Ended.of(() -> trial.fixture().write(failing, subject.grant(), writeId));
        String seen = "with " + fault + " a write ended with " + failed;
        expect(!failed.isAnswer(), seen);
        expect(!(failed.thrown() instanceof BusinessAnswerException), seen);
        Versioned<?> after = subject.read();
        if (failed.saysNothingHappened()) {
            expect(after.equals(start), seen + ", and " + versions("it", start, after));
            Ended again = Ended.of(() -> subject.write(writeId));
            expect(again.isAnswer(), seen + ", and sent again with " + again);
            Versioned<?> written = subject.read();
            expect(written.version() == start.version() + 1, seen + ", sent again: " + versions("it", start, written));
            return;
        }
        Outcome outcome = subject.branch().outcome(subject.grant(), writeId);
        Versioned<?> settled = subject.read();
        boolean hasHappened = !settled.value().equals(start.value());
        expect(
                outcome == (hasHappened ? Outcome.HAPPENED : Outcome.DID_NOT_HAPPEN),
                seen + ", its outcome is " + outcome + ", and " + versions("it", start, settled));
        Ended again = Ended.of(() -> subject.write(writeId));
        expect(again.isAnswer() == hasHappened, seen + ", its outcome is " + outcome + ", sent again " + again);
        Versioned<?> end = subject.read();
        expect(end.equals(settled), seen + ", and sent again it changed " + settled + " to " + end);
    }
}
