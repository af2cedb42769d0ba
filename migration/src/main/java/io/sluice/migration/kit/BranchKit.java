package io.sluice.migration.kit;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holds two branches against the contract of {@link Branch} and {@link KeyCopy}, and names every promise that one of them breaks.
 * Plain Java, for any test framework:
 *
 * <pre>{@code
 * @Test
 * void keepsTheContract() {
 *     BranchKit.verify(new OurFixture(dataSource));
 * }
 * }</pre>
 *
 * <p>Takes seconds, and leaves its keys behind in the store. What it tries with threads it finds with high probability, not with
 * certainty.
 *
 * @param <B> the branches' own interface
 * @param <T> the transaction
 */
public final class BranchKit<B extends Branch, T> {
    /** What a branch promises. */
    public enum Promise {
        WRITES_AND_UNDOES("a write changes the state, its inverse restores it, and each counts the version by one"),
        SAME_ID_HAPPENS_ONCE("an operation sent again with its id happens once and has the same answer"),
        SAME_ID_AT_ONCE_HAPPENS_ONCE("an operation sent several times at the same moment happens once"),
        OTHER_SIDE_IS_REFUSED("a side that does not own the key refuses, and nothing changes"),
        OLDER_EPOCH_IS_REFUSED("a grant from before the key's last move is refused, and nothing changes"),
        FROZEN_IS_REFUSED("a key that is being moved is not written, and can be read"),
        FENCE_HOLDS_UNTIL_THE_END("a write that has passed the fence is over before its key moves: one transaction"),
        BUSINESS_ANSWER_CHANGES_NOTHING("a business answer changes nothing"),
        OUTCOME_IS_TRUE("the outcome of what happened is that it happened"),
        OUTCOME_IS_FINAL("what is said not to have happened never happens"),
        OUTCOME_AND_WRITE_AGREE("an outcome that is asked for during the write says what the write does"),
        KEY_OF_IS_KNOWN("a side knows the key of its operations, and of no others"),
        SHADOW_NEVER_WRITES("a shadow's grant reads at any side and writes at none"),
        COPY_KEEPS_EVERYTHING("a key that moves keeps its state, version, open operations, answers and outcomes"),
        COPY_TWICE_IS_ONCE("copying a key again changes nothing"),
        NOTHING_HAPPENED_IS_TRUE("when a side says that nothing happened, nothing has and nothing will"),
        LOST_ANSWER_IS_UNKNOWN("when the answer of a write is lost, its outcome is called unknown"),
        CONCURRENT_WRITES_ADD_UP("writes of many threads to one key add up"),
        MOVES_LOSE_NOTHING("writes during moves are neither lost nor done twice");

        private final String sentence;

        Promise(String sentence) {
            this.sentence = sentence;
        }

        public String sentence() {
            return sentence;
        }
    }

    /**
     * A promise that was not kept.
     *
     * @param side the side that owned the key meanwhile
     * @param how what was seen
     */
    public record Broken(Promise promise, Side side, String how) {
        @Override
        public String toString() {
            return promise + " at " + side.label() + " (" + promise.sentence() + "): " + how;
        }
    }

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int THREADS = 6;
    private static final int ROUNDS = 10;
    private static final int WRITES_EACH = 8;
    private static final int WRITES_BETWEEN_MOVES = 4;
    /** So that all threads stay below what a fresh key has room for. */
    private static final int MOST_WRITES_EACH = 100;

    private static final long PAUSE_NANOS = 200_000;

    private final BranchFixture<B, T> fixture;
    private final Owners<T> owners;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "branch-kit");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicLong ids = new AtomicLong();
    private final String run = Long.toString(System.nanoTime(), Character.MAX_RADIX);

    private BranchKit(BranchFixture<B, T> fixture) {
        this.fixture = fixture;
        this.owners = fixture.owners();
    }

    /** @throws AssertionError that lists every broken promise */
    public static <B extends Branch, T> void verify(BranchFixture<B, T> fixture) {
        List<Broken> broken = broken(fixture);
        if (!broken.isEmpty()) {
            throw new AssertionError("the branches break " + broken.size() + " promises:\n"
                    + broken.stream().map(each -> "- " + each).collect(Collectors.joining("\n")));
        }
    }

    /** Every broken promise, with each side that was seen to break it. */
    public static <B extends Branch, T> List<Broken> broken(BranchFixture<B, T> fixture) {
        BranchKit<B, T> kit = new BranchKit<>(fixture);
        try {
            List<Broken> broken = new ArrayList<>();
            for (Promise promise : Promise.values()) {
                for (Side side : Side.values()) {
                    kit.tried(promise, side).ifPresent(broken::add);
                }
            }
            return broken;
        } finally {
            kit.threads.shutdownNow();
        }
    }

    private Optional<Broken> tried(Promise promise, Side side) {
        try {
            attempt(promise, side);
            return Optional.empty();
        } catch (Refuted refuted) {
            return Optional.of(new Broken(promise, side, refuted.how));
        } catch (RuntimeException unexpected) {
            return Optional.of(new Broken(promise, side, "ended with " + unexpected));
        }
    }

    private void attempt(Promise promise, Side side) {
        switch (promise) {
            case WRITES_AND_UNDOES -> writesAndUndoes(new Subject(side));
            case SAME_ID_HAPPENS_ONCE -> sameIdHappensOnce(new Subject(side));
            case SAME_ID_AT_ONCE_HAPPENS_ONCE -> sameIdAtOnceHappensOnce(new Subject(side));
            case OTHER_SIDE_IS_REFUSED -> otherSideIsRefused(new Subject(side));
            case OLDER_EPOCH_IS_REFUSED -> olderEpochIsRefused(new Subject(side));
            case FROZEN_IS_REFUSED -> frozenIsRefused(new Subject(side));
            case FENCE_HOLDS_UNTIL_THE_END -> fenceHoldsUntilTheEnd(side);
            case BUSINESS_ANSWER_CHANGES_NOTHING -> businessAnswerChangesNothing(new Subject(side));
            case OUTCOME_IS_TRUE -> outcomeIsTrue(new Subject(side));
            case OUTCOME_IS_FINAL -> outcomeIsFinal(new Subject(side));
            case OUTCOME_AND_WRITE_AGREE -> outcomeAndWriteAgree(new Subject(side));
            case KEY_OF_IS_KNOWN -> keyOfIsKnown(new Subject(side));
            case SHADOW_NEVER_WRITES -> shadowNeverWrites(new Subject(side));
            case COPY_KEEPS_EVERYTHING -> copyKeepsEverything(new Subject(side));
            case COPY_TWICE_IS_ONCE -> copyTwiceIsOnce(new Subject(side));
            case NOTHING_HAPPENED_IS_TRUE -> {
                failureIsTold(new Subject(side), Fault.UNREACHABLE);
                failureIsTold(new Subject(side), Fault.BEFORE_COMMIT);
            }
            case LOST_ANSWER_IS_UNKNOWN -> failureIsTold(new Subject(side), Fault.ANSWER_LOST);
            case CONCURRENT_WRITES_ADD_UP -> concurrentWritesAddUp(new Subject(side));
            case MOVES_LOSE_NOTHING -> movesLoseNothing(new Subject(side));
        }
    }

    private void writesAndUndoes(Subject subject) {
        Versioned<?> start = subject.read();
        String writeId = id();
        subject.write(writeId);
        Versioned<?> written = subject.read();
        expect(!written.value().equals(start.value()), "a write left the state at " + start.value());
        expect(written.version() == start.version() + 1, versions("a write", start, written));
        subject.undo(id(), writeId);
        Versioned<?> undone = subject.read();
        expect(undone.value().equals(start.value()), "after undo it was " + undone + ", before the write " + start);
        expect(undone.version() == start.version() + 2, versions("a write and its inverse", start, undone));
    }

    private void sameIdHappensOnce(Subject subject) {
        String writeId = id();
        Object first = subject.write(writeId);
        State written = subject.state();
        Object again = subject.write(writeId);
        expect(first.equals(again), "the write was answered with " + first + ", then with " + again);
        expectSame(written, subject.state(), "the write was sent again");

        String undoId = id();
        Object undone = subject.undo(undoId, writeId);
        State restored = subject.state();
        Object undoneAgain = subject.undo(undoId, writeId);
        expect(undone.equals(undoneAgain), "the inverse was answered with " + undone + ", then with " + undoneAgain);
        expectSame(restored, subject.state(), "the inverse was sent again");
    }

    private void sameIdAtOnceHappensOnce(Subject subject) {
        for (int round = 0; round < ROUNDS; round++) {
            Versioned<?> start = subject.read();
            String writeId = id();
            List<Ended> ends = atOnce(THREADS, thread -> subject.write(writeId));
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
                    versions(THREADS + " requests with one id at once", start, written));
        }
    }

    private void otherSideIsRefused(Subject subject) {
        String writeId = id();
        subject.write(writeId);
        Side other = subject.side.other();
        Grant wrong = Grant.of(subject.key, other, subject.epoch());
        expectOpen(subject, expectRefused(subject, wrong, writeId));
        Ended read = ended(() -> fixture.read(branch(other), wrong));
        expect(read.thrown() instanceof OwnerChangedException, "a read at " + other.label() + " ended with " + read);
    }

    private void olderEpochIsRefused(Subject subject) {
        String writeId = id();
        subject.write(writeId);
        Grant old = subject.grant();
        subject.move();
        subject.move();
        expectOpen(subject, expectRefused(subject, old, writeId));
    }

    private void frozenIsRefused(Subject subject) {
        String writeId = id();
        subject.write(writeId);
        Versioned<?> before = subject.read();
        Owned frozen = owners.freeze(subject.key, subject.side.other(), subject.epoch() + 1);
        Grant grant = Grant.of(subject.key, subject.side, frozen.epoch());
        String never = expectRefused(subject, grant, writeId);
        Versioned<?> read = fixture.read(branch(subject.side), grant);
        expect(read.equals(before), "while it was moved it was read as " + read + ", before as " + before);
        owners.release(frozen);
        expectOpen(subject, never);
    }

    /**
     * Write, inverse and outcome, each refused by the fence.
     *
     * @return the id of the write
     */
    private String expectRefused(Subject subject, Grant grant, String writeId) {
        State before = subject.state();
        B branch = branch(grant.side());
        String never = id();
        for (Ended each : List.of(
                ended(() -> fixture.write(branch, grant, never)),
                ended(() -> fixture.undo(branch, grant, id(), writeId)),
                ended(() -> branch.outcome(grant, never)))) {
            expect(each.thrown() instanceof OwnerChangedException, "it ended with " + each + " and was not refused");
            expectSame(before, subject.state(), "it was refused");
        }
        return never;
    }

    /** What was refused has left no trace, not even of its id. */
    private void expectOpen(Subject subject, String never) {
        Ended later = ended(() -> subject.write(never));
        expect(later.isAnswer(), "the refused operation, sent again to the owner, ended with " + later);
    }

    /** The key begins to move right after a write has passed the fence. */
    private void fenceHoldsUntilTheEnd(Side side) {
        for (int round = 0; round < ROUNDS; round++) {
            Subject subject = new Subject(side);
            // Owners may add a row with the first write of a key, for which a freeze has to wait.
            subject.write(id());
            Versioned<?> before = subject.read();
            AtomicReference<@Nullable Future<Owned>> move = new AtomicReference<>();
            Fence<T> moving = new Fence<>() {
                @Override
                public void admitWrite(T transaction, Grant grant) {
                    fixture.fence().admitWrite(transaction, grant);
                    Owned frozen = owners.freeze(grant.key(), side.other(), grant.epoch() + 1);
                    move.set(threads.submit(() -> complete(frozen)));
                }

                @Override
                public void admitRead(T transaction, Grant grant) {
                    fixture.fence().admitRead(transaction, grant);
                }
            };
            Grant grant = subject.grant();
            Ended write = ended(() -> fixture.write(fixture.branch(side, moving), grant, id()));
            Future<Owned> moved = move.get();
            expect(moved != null, "a write that ended with " + write + " never asked the fence");
            Owned now = get(Objects.requireNonNull(moved));
            Versioned<?> after = fixture.read(branch(now.side()), Grant.of(now.key(), now.side(), now.epoch()));
            long added = write.isAnswer() ? 1 : 0;
            expect(
                    after.version() == before.version() + added,
                    "the key moved under a write that ended with " + write + ": "
                            + versions("its new owner", before, after));
        }
    }

    private void businessAnswerChangesNothing(Subject subject) {
        State before = subject.state();
        String refusedId = id();
        Ended refused = ended(() -> fixture.refused(branch(subject.side), subject.grant(), refusedId));
        expect(refused.thrown() instanceof BusinessAnswerException, "it ended with " + refused);
        expectSame(before, subject.state(), "it was answered " + refused);
        Outcome outcome = branch(subject.side).outcome(subject.grant(), refusedId);
        expect(outcome == Outcome.DID_NOT_HAPPEN, "its outcome was " + outcome);
    }

    private void outcomeIsTrue(Subject subject) {
        String writeId = id();
        String undoId = id();
        subject.write(writeId);
        expectOutcome(subject, writeId, Outcome.HAPPENED);
        subject.undo(undoId, writeId);
        State state = subject.state();
        expectOutcome(subject, writeId, Outcome.HAPPENED);
        expectOutcome(subject, undoId, Outcome.HAPPENED);
        expectSame(state, subject.state(), "the outcome was asked for");
    }

    private void outcomeIsFinal(Subject subject) {
        String never = id();
        String neverUndone = id();
        String writeId = id();
        subject.write(writeId);
        Versioned<?> start = subject.read();
        expectOutcome(subject, never, Outcome.DID_NOT_HAPPEN);
        expectOutcome(subject, neverUndone, Outcome.DID_NOT_HAPPEN);
        // Calling it off may count as a write of the key.
        Versioned<?> asked = subject.read();
        expect(asked.value().equals(start.value()), "asking for the outcome made " + asked + " of " + start);
        State before = subject.state();
        expectNever(subject, before, () -> subject.write(never));
        expectNever(subject, before, () -> subject.undo(neverUndone, writeId));
        expectOutcome(subject, never, Outcome.DID_NOT_HAPPEN);
        expectOutcome(subject, neverUndone, Outcome.DID_NOT_HAPPEN);
        Ended undone = ended(() -> subject.undo(id(), writeId));
        expect(undone.isAnswer(), "another inverse of the write ended with " + undone);
    }

    private void expectNever(Subject subject, State before, Callable<Object> operation) {
        Ended ended = ended(operation);
        expect(!ended.isAnswer(), "it was said not to happen, and then ended with " + ended);
        expect(
                !(ended.thrown() instanceof UnknownOutcomeException),
                "it was said not to happen, and then its outcome was unknown");
        expectSame(before, subject.state(), "it was said not to happen, and sent again");
    }

    private void outcomeAndWriteAgree(Subject subject) {
        for (int round = 0; round < ROUNDS; round++) {
            Versioned<?> start = subject.read();
            String writeId = id();
            List<Ended> ends = atOnce(
                    2,
                    thread -> thread == 0
                            ? subject.write(writeId)
                            : branch(subject.side).outcome(subject.grant(), writeId));
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

    private void keyOfIsKnown(Subject subject) {
        String writeId = id();
        String undoId = id();
        B branch = branch(subject.side);
        String unknown = id();
        Optional<String> none = branch.keyOf(unknown);
        expect(none.isEmpty(), "an id that nobody has used belongs to " + none);
        subject.write(writeId);
        subject.undo(undoId, writeId);
        for (String each : List.of(writeId, undoId)) {
            Optional<String> key = branch.keyOf(each);
            expect(key.equals(Optional.of(subject.key)), "an operation of " + subject.key + " belongs to " + key);
        }
        Ended write = ended(() -> subject.write(unknown));
        expect(write.isAnswer(), "a write whose key had been asked for ended with " + write);
    }

    private void shadowNeverWrites(Subject subject) {
        String writeId = id();
        subject.write(writeId);
        Side other = subject.side.other();
        expect(owners.mirror(subject.key, fixture.copy()), "the key could not be mirrored");
        Versioned<?> authority = subject.read();
        Versioned<?> shadow = fixture.read(branch(other), Grant.shadow(subject.key, other));
        expect(shadow.equals(authority), "a mirrored key was read as " + shadow + ", at its owner as " + authority);
        for (Side side : Side.values()) {
            Grant grant = Grant.shadow(subject.key, side);
            State before = subject.state();
            Ended write = ended(() -> fixture.write(branch(side), grant, id()));
            expect(!write.isAnswer(), "a write at " + side.label() + " with a shadow's grant ended with " + write);
            Ended undo = ended(() -> fixture.undo(branch(side), grant, id(), writeId));
            expect(!undo.isAnswer(), "an inverse at " + side.label() + " with a shadow's grant ended with " + undo);
            expectSame(before, subject.state(), "a write came with a shadow's grant");
        }
    }

    private void copyKeepsEverything(Subject subject) {
        String open = id();
        String closed = id();
        String closing = id();
        String never = id();
        Versioned<?> start = subject.read();
        Object openAnswer = subject.write(open);
        Object closedAnswer = subject.write(closed);
        Object closingAnswer = subject.undo(closing, closed);
        expectOutcome(subject, never, Outcome.DID_NOT_HAPPEN);
        Versioned<?> before = subject.read();

        for (int move = 1; move <= 3; move++) {
            subject.move();
            String when = " after move " + move + " (to " + subject.side.label() + ")";
            Versioned<?> after = subject.read();
            expect(after.equals(before), "it was " + after + when + ", and " + before + " before");
            State state = subject.state();
            expectAnswer(openAnswer, ended(() -> subject.write(open)), "an open write" + when);
            expectAnswer(closedAnswer, ended(() -> subject.write(closed)), "a write that was undone" + when);
            expectAnswer(closingAnswer, ended(() -> subject.undo(closing, closed)), "an inverse" + when);
            for (String each : List.of(open, closed, closing)) {
                expectOutcome(subject, each, Outcome.HAPPENED);
                Optional<String> key = branch(subject.side).keyOf(each);
                expect(key.equals(Optional.of(subject.key)), "an operation belonged to " + key + when);
            }
            expectNever(subject, state, () -> subject.write(never));
            expectOutcome(subject, never, Outcome.DID_NOT_HAPPEN);
            expectSame(state, subject.state(), "everything was sent again" + when);
        }
        Ended undone = ended(() -> subject.undo(id(), open));
        expect(undone.isAnswer(), "the inverse of a write from before the moves ended with " + undone);
        Versioned<?> end = subject.read();
        expect(end.value().equals(start.value()), "with everything undone it was " + end + ", at the start " + start);
        subject.move();
        Versioned<?> back = subject.read();
        expect(back.equals(end), "it was " + back + " after the last move, and " + end + " before");
    }

    private void copyTwiceIsOnce(Subject subject) {
        String open = id();
        Object answer = subject.write(open);
        Versioned<?> before = subject.read();
        expect(owners.mirror(subject.key, fixture.copy()), "the key could not be mirrored");
        subject.write(id());
        Versioned<?> later = subject.read();
        expect(!later.equals(before), "a write changed nothing");
        AtomicReference<Amounts> first = new AtomicReference<>(Amounts.NONE);
        AtomicReference<Amounts> second = new AtomicReference<>(Amounts.NONE);
        subject.move((transaction, key, from, to) -> {
            first.set(fixture.copy().copy(transaction, key, from, to));
            Amounts again = fixture.copy().copy(transaction, key, from, to);
            second.set(again);
            return again;
        });
        expect(first.get().equals(second.get()), "it handed over " + first.get() + ", then " + second.get());
        Versioned<?> after = subject.read();
        expect(after.equals(later), "it was " + after + " after two copies, and " + later + " before");
        State state = subject.state();
        expectAnswer(answer, ended(() -> subject.write(open)), "a write from before the copies");
        expectSame(state, subject.state(), "a write from before the copies was sent again");
    }

    private void failureIsTold(Subject subject, Fault fault) {
        Versioned<?> start = subject.read();
        String writeId = id();
        B failing = fixture.failing(subject.side, fixture.fence(), fault);
        Ended failed = ended(() -> fixture.write(failing, subject.grant(), writeId));
        String seen = "with " + fault + " a write ended with " + failed;
        expect(!failed.isAnswer(), seen);
        expect(!(failed.thrown() instanceof BusinessAnswerException), seen);
        Versioned<?> after = subject.read();
        if (failed.saysNothingHappened()) {
            expect(after.equals(start), seen + ", and " + versions("it", start, after));
            Ended again = ended(() -> subject.write(writeId));
            expect(again.isAnswer(), seen + ", and sent again with " + again);
            Versioned<?> written = subject.read();
            expect(written.version() == start.version() + 1, seen + ", sent again: " + versions("it", start, written));
            return;
        }
        Outcome outcome = branch(subject.side).outcome(subject.grant(), writeId);
        Versioned<?> settled = subject.read();
        boolean hasHappened = !settled.value().equals(start.value());
        expect(
                outcome == (hasHappened ? Outcome.HAPPENED : Outcome.DID_NOT_HAPPEN),
                seen + ", its outcome is " + outcome + ", and " + versions("it", start, settled));
        Ended again = ended(() -> subject.write(writeId));
        expect(again.isAnswer() == hasHappened, seen + ", its outcome is " + outcome + ", sent again " + again);
        Versioned<?> end = subject.read();
        expect(end.equals(settled), seen + ", and sent again it changed " + settled + " to " + end);
    }

    private void concurrentWritesAddUp(Subject subject) {
        Versioned<?> start = subject.read();
        Set<String> written = ConcurrentHashMap.newKeySet();
        List<Ended> ends = atOnce(THREADS, thread -> {
            for (int i = 0; i < WRITES_EACH; i++) {
                String writeId = id();
                untilItHappens(() -> subject.write(writeId));
                written.add(writeId);
            }
            return "done";
        });
        expectAllDone(ends);
        expectAddsUp(subject, start, written);
    }

    private void movesLoseNothing(Subject subject) {
        Versioned<?> start = subject.read();
        Set<String> written = ConcurrentHashMap.newKeySet();
        AtomicBoolean isOver = new AtomicBoolean();
        int writers = THREADS - 1;
        List<Ended> ends = atOnce(THREADS, thread -> {
            if (thread == writers) {
                try {
                    for (int move = 1; move <= ROUNDS; move++) {
                        awaitWrites(written, move * WRITES_BETWEEN_MOVES);
                        complete(owners.freeze(
                                subject.key, owners.of(subject.key).side().other(), 1));
                    }
                } finally {
                    isOver.set(true);
                }
                return "moved";
            }
            for (int i = 0; i < MOST_WRITES_EACH && !isOver.get(); i++) {
                String writeId = id();
                untilItHappens(() -> {
                    Owned now = owners.of(subject.key);
                    return fixture.write(branch(now.side()), Grant.of(now.key(), now.side(), now.epoch()), writeId);
                });
                written.add(writeId);
            }
            return "done";
        });
        expectAllDone(ends);
        subject.side = owners.of(subject.key).side();
        expectAddsUp(subject, start, written);
    }

    private void awaitWrites(Set<String> written, int count) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (written.size() < count) {
            expect(System.nanoTime() < end, "only " + written.size() + " writes in " + LONGEST.toSeconds() + " s");
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void expectAddsUp(Subject subject, Versioned<?> start, Set<String> written) {
        Versioned<?> end = subject.read();
        expect(end.version() == start.version() + written.size(), versions(written.size() + " writes", start, end));
        for (String each : written) {
            subject.undo(id(), each);
        }
        Versioned<?> undone = subject.read();
        expect(undone.value().equals(start.value()), "with all undone it was " + undone + ", at the start " + start);
    }

    /** Sends a write again as long as it is certain that nothing happened. */
    private void untilItHappens(Callable<Object> write) throws Exception {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (true) {
            try {
                write.call();
                return;
            } catch (NothingHappenedException again) {
                expect(System.nanoTime() < end, "a write was refused for " + LONGEST.toSeconds() + " s: " + again);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void expectAllDone(List<Ended> ends) {
        List<Ended> failed = ends.stream().filter(each -> !each.isAnswer()).toList();
        expect(failed.isEmpty(), "of " + ends.size() + " threads ended with an error: " + failed);
    }

    private void expectOutcome(Subject subject, String operationId, Outcome expected) {
        Outcome outcome = branch(subject.side).outcome(subject.grant(), operationId);
        expect(outcome == expected, "the outcome was " + outcome + " where it should be " + expected);
    }

    private void expectAnswer(Object expected, Ended ended, String what) {
        expect(expected.equals(ended.answer()), what + " was answered with " + expected + ", then with " + ended);
    }

    private void expectSame(State before, State after, String when) {
        expect(before.equals(after), "when " + when + ", " + before + " became " + after);
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new Refuted(otherwise);
        }
    }

    private static String versions(String what, Versioned<?> before, Versioned<?> after) {
        return what + " took it from " + before.value() + " at version " + before.version() + " to " + after.value()
                + " at version " + after.version();
    }

    private String id() {
        return "kit-" + run + "-" + ids.incrementAndGet();
    }

    private B branch(Side side) {
        return fixture.branch(side, fixture.fence());
    }

    /** Drains and hands over; whoever else does it meanwhile is welcome. */
    private Owned complete(Owned frozen) {
        return complete(frozen, fixture.copy());
    }

    private Owned complete(Owned frozen, KeyCopy<T> copy) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (true) {
            boolean isDrained = owners.drain(frozen, Duration.ofSeconds(1));
            Owned now = isDrained ? owners.handOver(frozen, copy) : frozen;
            if (!now.isFrozen()) {
                return now;
            }
            expect(System.nanoTime() < end, "a write kept its key for " + LONGEST.toSeconds() + " s");
        }
    }

    /** Calls from several threads that begin at the same moment; what became of each, in order. */
    private List<Ended> atOnce(int count, Numbered call) {
        CyclicBarrier start = new CyclicBarrier(count);
        List<Future<Ended>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            futures.add(threads.submit(() -> {
                start.await(LONGEST.toSeconds(), TimeUnit.SECONDS);
                return ended(() -> call.by(number));
            }));
        }
        return futures.stream().map(this::get).toList();
    }

    private <R> R get(Future<R> future) {
        try {
            return future.get(LONGEST.toSeconds() * 2, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new Refuted("it did not end within " + LONGEST.toSeconds() * 2 + " s");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Refuted refuted) {
                throw refuted;
            }
            throw new Refuted("it ended with " + failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Refuted("it was interrupted");
        }
    }

    private static Ended ended(Callable<?> call) {
        try {
            return new Ended(call.call(), null);
        } catch (Refuted refuted) {
            throw refuted;
        } catch (Exception thrown) {
            return new Ended(null, thrown);
        }
    }

    @FunctionalInterface
    private interface Numbered {
        Object by(int number) throws Exception;
    }

    /** How a call ended. */
    private record Ended(@Nullable Object answer, @Nullable Exception thrown) {
        boolean isAnswer() {
            return thrown == null;
        }

        boolean saysNothingHappened() {
            return thrown instanceof NothingHappenedException;
        }

        @Override
        public String toString() {
            return String.valueOf(isAnswer() ? answer : thrown);
        }
    }

    /** What both sides hold of a key; text where a side does not know it. */
    private record State(Object legacy, Object newer) {}

    private static final class Refuted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String how;

        Refuted(String how) {
            super(how);
            this.how = how;
        }
    }

    /** A key of its own for one attempt, and who owns it. */
    private final class Subject {
        private final String key;
        private Side side = Side.LEGACY;

        Subject(Side owner) {
            this.key = fixture.freshKey();
            if (owner == Side.NEW) {
                move();
            }
        }

        long epoch() {
            return owners.of(key).epoch();
        }

        Grant grant() {
            return Grant.of(key, side, epoch());
        }

        void move() {
            move(fixture.copy());
        }

        void move(KeyCopy<T> copy) {
            Owned now =
                    complete(owners.freeze(key, side.other(), Plan.start("kit").epoch()), copy);
            expect(
                    now.side() == side.other(),
                    "the key could not be moved to " + side.other().label());
            side = now.side();
        }

        Object write(String operationId) {
            return fixture.write(branch(side), grant(), operationId);
        }

        Object undo(String operationId, String writeId) {
            return fixture.undo(branch(side), grant(), operationId, writeId);
        }

        Versioned<?> read() {
            return fixture.read(branch(side), grant());
        }

        State state() {
            return new State(held(Side.LEGACY), held(Side.NEW));
        }

        private Object held(Side at) {
            try {
                return fixture.read(branch(at), Grant.shadow(key, at));
            } catch (BusinessAnswerException unknown) {
                return "nothing";
            }
        }
    }
}
