package io.sluice.migration.kit;

import static io.sluice.migration.kit.Expect.expect;
import static io.sluice.migration.kit.Expect.expectNever;
import static io.sluice.migration.kit.Expect.expectSame;
import static io.sluice.migration.kit.Expect.versions;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Versioned;
import java.util.List;
import java.util.Optional;

/** What a branch says of an operation afterwards. */
final class OutcomePromises<B extends Branch, T> {
    private final Trial<B, T> trial;

    OutcomePromises(Trial<B, T> trial) {
        this.trial = trial;
    }

    void outcomeIsTrue(Subject<B, T> subject) {
        String writeId = trial.id();
        String undoId = trial.id();
        subject.write(writeId);
        subject.expectOutcome(writeId, Outcome.HAPPENED);
        subject.undo(undoId, writeId);
        State state = subject.state();
        subject.expectOutcome(writeId, Outcome.HAPPENED);
        subject.expectOutcome(undoId, Outcome.HAPPENED);
        expectSame(state, subject.state(), "the outcome was asked for");
    }

    void outcomeIsFinal(Subject<B, T> subject) {
        String never = trial.id();
        String neverUndone = trial.id();
        String writeId = trial.id();
        subject.write(writeId);
        Versioned<?> start = subject.read();
        subject.expectOutcome(never, Outcome.DID_NOT_HAPPEN);
        subject.expectOutcome(neverUndone, Outcome.DID_NOT_HAPPEN);
        // Calling it off may count as a write of the key.
        Versioned<?> asked = subject.read();
        expect(asked.value().equals(start.value()), "asking for the outcome made " + asked + " of " + start);
        State before = subject.state();
        expectNever(subject, before, () -> subject.write(never));
        expectNever(subject, before, () -> subject.undo(neverUndone, writeId));
        subject.expectOutcome(never, Outcome.DID_NOT_HAPPEN);
        subject.expectOutcome(neverUndone, Outcome.DID_NOT_HAPPEN);
        Ended undone = Ended.of(() -> subject.undo(trial.id(), writeId));
        expect(undone.isAnswer(), "another inverse of the write ended with " + undone);
    }

    void outcomeAndWriteAgree(Subject<B, T> subject) {
        for (int round = 0; round < Trial.ROUNDS; round++) {
            Versioned<?> start = subject.read();
            String writeId = trial.id();
            List<Ended> ends = trial.atOnce(
                    2,
                    thread -> thread == 0
                            ? subject.write(writeId)
                            : subject.branch().outcome(subject.grant(), writeId));
            Ended write = ends.get(0);
            Ended outcome = ends.get(1);
            Versioned<?> end = subject.read();
            // By the value, since calling it off may count as a write of the key.
            boolean hasHappened = !end.value().equals(start.value());
            String seen = "the write ended with " + write + ", its outcome with " + outcome + ": ";
            expect(end.version() <= start.version() + 1, seen + versions("both", start, end));
            expect(!write.isAnswer() || hasHappened, seen + "nothing has changed");
            if (outcome.isAnswer()) {
                expect(
                        outcome.answer() == (hasHappened ? Outcome.HAPPENED : Outcome.DID_NOT_HAPPEN),
                        seen + versions("both", start, end));
            }
            expect(!(write.saysNothingHappened() && hasHappened), seen + "it has happened");
        }
    }

    void keyOfIsKnown(Subject<B, T> subject) {
        String writeId = trial.id();
        String undoId = trial.id();
        B branch = subject.branch();
        String unknown = trial.id();
        Optional<String> none = branch.keyOf(unknown);
        expect(none.isEmpty(), "an id that nobody has used belongs to " + none);
        subject.write(writeId);
        subject.undo(undoId, writeId);
        for (String each : List.of(writeId, undoId)) {
            Optional<String> key = branch.keyOf(each);
            expect(key.equals(Optional.of(subject.key())), "an operation of " + subject.key() + " belongs to " + key);
        }
        Ended write = Ended.of(() -> subject.write(unknown));
        expect(write.isAnswer(), "a write whose key had been asked for ended with " + write);
    }
}
