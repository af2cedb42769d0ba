package io.sluice.migration.kit;

import static io.sluice.migration.kit.Expect.expect;
import static io.sluice.migration.kit.Expect.expectSame;
import static io.sluice.migration.kit.Expect.versions;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.plan.Side;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Who may write: only the owner, only by its newest grant, and never while the key is being moved. */
final class FencePromises<B extends Branch, T> {
    private final Trial<B, T> trial;

    FencePromises(Trial<B, T> trial) {
        this.trial = trial;
    }

    void otherSideIsRefused(Subject<B, T> subject) {
        String writeId = trial.id();
        subject.write(writeId);
        Side other = subject.side().other();
        Grant wrong = Grant.of(subject.key(), other, subject.epoch());
        expectOpen(subject, expectRefused(subject, wrong, writeId));
        Ended read = Ended.of(() -> trial.fixture().read(trial.branch(other), wrong));
        expect(read.thrown() instanceof OwnerChangedException, "a read at " + other.label() + " ended with " + read);
    }

    void olderEpochIsRefused(Subject<B, T> subject) {
        String writeId = trial.id();
        subject.write(writeId);
        Grant old = subject.grant();
        subject.move();
        subject.move();
        expectOpen(subject, expectRefused(subject, old, writeId));
    }

    void frozenIsRefused(Subject<B, T> subject) {
        String writeId = trial.id();
        subject.write(writeId);
        Versioned<?> before = subject.read();
        Owned frozen = trial.owners().freeze(subject.key(), subject.side().other(), subject.epoch() + 1);
        Grant grant = Grant.of(subject.key(), subject.side(), frozen.epoch());
        String never = expectRefused(subject, grant, writeId);
        Versioned<?> read = trial.fixture().read(subject.branch(), grant);
        expect(read.equals(before), "while it was moved it was read as " + read + ", before as " + before);
        trial.owners().release(frozen);
        expectOpen(subject, never);
    }

    void shadowNeverWrites(Subject<B, T> subject) {
        String writeId = trial.id();
        subject.write(writeId);
        Side other = subject.side().other();
        expect(trial.owners().mirror(subject.key(), trial.fixture().copy()), "the key could not be mirrored");
        Versioned<?> authority = subject.read();
        Versioned<?> shadow = trial.fixture().read(trial.branch(other), Grant.shadow(subject.key(), other));
        expect(shadow.equals(authority), "a mirrored key was read as " + shadow + ", at its owner as " + authority);
        for (Side side : Side.values()) {
            Grant grant = Grant.shadow(subject.key(), side);
            State before = subject.state();
            Ended write = Ended.of(() -> trial.fixture().write(trial.branch(side), grant, trial.id()));
            expect(!write.isAnswer(), "a write at " + side.label() + " with a shadow's grant ended with " + write);
            Ended undo = Ended.of(() -> trial.fixture().undo(trial.branch(side), grant, trial.id(), writeId));
            expect(!undo.isAnswer(), "an inverse at " + side.label() + " with a shadow's grant ended with " + undo);
            expectSame(before, subject.state(), "a write came with a shadow's grant");
        }
    }

    /** The key begins to move right after a write has passed the fence. */
    void fenceHoldsUntilTheEnd(Side side) {
        for (int round = 0; round < Trial.ROUNDS; round++) {
            Subject<B, T> subject = trial.subject(side);
            // Owners may add a row with the first write of a key, for which a freeze has to wait.
            subject.write(trial.id());
            Versioned<?> before = subject.read();
            AtomicReference<@Nullable Future<Owned>> move = new AtomicReference<>();
            Fence<T> moving = new Fence<>() {
                @Override
                public void admitWrite(T transaction, Grant grant) {
                    trial.fixture().fence().admitWrite(transaction, grant);
                    Owned frozen = trial.owners().freeze(grant.key(), side.other(), grant.epoch() + 1);
                    move.set(trial.submit(() -> trial.complete(frozen)));
                }

                @Override
                public void admitRead(T transaction, Grant grant) {
                    trial.fixture().fence().admitRead(transaction, grant);
                }
            };
            Grant grant = subject.grant();
            Ended write =
                    Ended.of(() -> trial.fixture().write(trial.fixture().branch(side, moving), grant, trial.id()));
            Future<Owned> moved = move.get();
            expect(moved != null, "a write that ended with " + write + " never asked the fence");
            Owned now = trial.get(Objects.requireNonNull(moved));
            Versioned<?> after =
                    trial.fixture().read(trial.branch(now.side()), Grant.of(now.key(), now.side(), now.epoch()));
            long added = write.isAnswer() ? 1 : 0;
            expect(
                    after.version() == before.version() + added,
                    "the key moved under a write that ended with " + write + ": "
                            + versions("its new owner", before, after));
        }
    }

    /**
     * Write, inverse and outcome, each refused by the fence.
     *
     * @return the id of the write
     */
    private String expectRefused(Subject<B, T> subject, Grant grant, String writeId) {
        State before = subject.state();
        B branch = trial.branch(grant.side());
        String never = trial.id();
        for (Ended each : List.of(
                Ended.of(() -> trial.fixture().write(branch, grant, never)),
                Ended.of(() -> trial.fixture().undo(branch, grant, trial.id(), writeId)),
                Ended.of(() -> branch.outcome(grant, never)))) {
            expect(each.thrown() instanceof OwnerChangedException, "it ended with " + each + " and was not refused");
            expectSame(before, subject.state(), "it was refused");
        }
        return never;
    }

    /** What was refused has left no trace, not even of its id. */
    private void expectOpen(Subject<B, T> subject, String never) {
        Ended later = Ended.of(() -> subject.write(never));
        expect(later.isAnswer(), "the refused operation, sent again to the owner, ended with " + later);
    }
}
