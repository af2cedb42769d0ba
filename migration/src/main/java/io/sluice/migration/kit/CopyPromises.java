package io.sluice.migration.kit;

import static io.sluice.migration.kit.Expect.expect;
import static io.sluice.migration.kit.Expect.expectAnswer;
import static io.sluice.migration.kit.Expect.expectNever;
import static io.sluice.migration.kit.Expect.expectSame;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Amounts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** What a copy takes along. */
final class CopyPromises<B extends Branch, T> {
    private final Trial<B, T> trial;

    CopyPromises(Trial<B, T> trial) {
        this.trial = trial;
    }

    void copyKeepsEverything(Subject<B, T> subject) {
        String open = trial.id();
        String closed = trial.id();
        String closing = trial.id();
        String never = trial.id();
        Versioned<?> start = subject.read();
        Object openAnswer = subject.write(open);
        Object closedAnswer = subject.write(closed);
        Object closingAnswer = subject.undo(closing, closed);
        subject.expectOutcome(never, Outcome.DID_NOT_HAPPEN);
        Versioned<?> before = subject.read();

        for (int move = 1; move <= 3; move++) {
            subject.move();
            String when = " after move " + move + " (to " + subject.side().label() + ")";
            Versioned<?> after = subject.read();
            expect(after.equals(before), "it was " + after + when + ", and " + before + " before");
            State state = subject.state();
            expectAnswer(openAnswer, Ended.of(() -> subject.write(open)), "an open write" + when);
            expectAnswer(closedAnswer, Ended.of(() -> subject.write(closed)), "a write that was undone" + when);
            expectAnswer(closingAnswer, Ended.of(() -> subject.undo(closing, closed)), "an inverse" + when);
            for (String each : List.of(open, closed, closing)) {
                subject.expectOutcome(each, Outcome.HAPPENED);
                Optional<String> key = subject.branch().keyOf(each);
                expect(key.equals(Optional.of(subject.key())), "an operation belonged to " + key + when);
            }
            expectNever(subject, state, () -> subject.write(never));
            subject.expectOutcome(never, Outcome.DID_NOT_HAPPEN);
            expectSame(state, subject.state(), "everything was sent again" + when);
        }
        Ended undone = Ended.of(() -> subject.undo(trial.id(), open));
        expect(undone.isAnswer(), "the inverse of a write from before the moves ended with " + undone);
        Versioned<?> end = subject.read();
        expect(end.value().equals(start.value()), "with everything undone it was " + end + ", at the start " + start);
        subject.move();
        Versioned<?> back = subject.read();
        expect(back.equals(end), "it was " + back + " after the last move, and " + end + " before");
    }

    void copyTwiceIsOnce(Subject<B, T> subject) {
        String open = trial.id();
        Object answer = subject.write(open);
        Versioned<?> before = subject.read();
        expect(trial.owners().mirror(subject.key(), trial.fixture().copy()), "the key could not be mirrored");
        subject.write(trial.id());
        Versioned<?> later = subject.read();
        expect(!later.equals(before), "a write changed nothing");
        AtomicReference<Amounts> first = new AtomicReference<>(Amounts.NONE);
        AtomicReference<Amounts> second = new AtomicReference<>(Amounts.NONE);
        subject.move((transaction, key, from, to) -> {
            first.set(trial.fixture().copy().copy(transaction, key, from, to));
            Amounts again = trial.fixture().copy().copy(transaction, key, from, to);
            second.set(again);
            return again;
        });
        expect(first.get().equals(second.get()), "it handed over " + first.get() + ", then " + second.get());
        Versioned<?> after = subject.read();
        expect(after.equals(later), "it was " + after + " after two copies, and " + later + " before");
        State state = subject.state();
        expectAnswer(answer, Ended.of(() -> subject.write(open)), "a write from before the copies");
        expectSame(state, subject.state(), "a write from before the copies was sent again");
    }
}
