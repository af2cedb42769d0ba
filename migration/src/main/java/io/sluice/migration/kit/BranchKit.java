package io.sluice.migration.kit;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.plan.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

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

    private final WritePromises<B, T> writes;
    private final FencePromises<B, T> fence;
    private final OutcomePromises<B, T> outcomes;
    private final CopyPromises<B, T> copies;
    private final CrowdPromises<B, T> crowds;
    private final Trial<B, T> trial;

    private BranchKit(Trial<B, T> trial) {
        this.trial = trial;
        this.writes = new WritePromises<>(trial);
        this.fence = new FencePromises<>(trial);
        this.outcomes = new OutcomePromises<>(trial);
        this.copies = new CopyPromises<>(trial);
        this.crowds = new CrowdPromises<>(trial);
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
        try (Trial<B, T> trial = new Trial<>(fixture)) {
            BranchKit<B, T> kit = new BranchKit<>(trial);
            List<Broken> broken = new ArrayList<>();
            for (Promise promise : Promise.values()) {
                for (Side side : Side.values()) {
                    kit.tried(promise, side).ifPresent(broken::add);
                }
            }
            return broken;
        }
    }

    private Optional<Broken> tried(Promise promise, Side side) {
        try {
            attempt(promise, side);
            return Optional.empty();
        } catch (Refuted refuted) {
            return Optional.of(new Broken(promise, side, refuted.how()));
        } catch (RuntimeException unexpected) {
            return Optional.of(new Broken(promise, side, "ended with " + unexpected));
        }
    }

    private void attempt(Promise promise, Side side) {
        switch (promise) {
            case WRITES_AND_UNDOES -> writes.writesAndUndoes(trial.subject(side));
            case SAME_ID_HAPPENS_ONCE -> writes.sameIdHappensOnce(trial.subject(side));
            case SAME_ID_AT_ONCE_HAPPENS_ONCE -> writes.sameIdAtOnceHappensOnce(trial.subject(side));
            case OTHER_SIDE_IS_REFUSED -> fence.otherSideIsRefused(trial.subject(side));
            case OLDER_EPOCH_IS_REFUSED -> fence.olderEpochIsRefused(trial.subject(side));
            case FROZEN_IS_REFUSED -> fence.frozenIsRefused(trial.subject(side));
            case FENCE_HOLDS_UNTIL_THE_END -> fence.fenceHoldsUntilTheEnd(side);
            case BUSINESS_ANSWER_CHANGES_NOTHING -> writes.businessAnswerChangesNothing(trial.subject(side));
            case OUTCOME_IS_TRUE -> outcomes.outcomeIsTrue(trial.subject(side));
            case OUTCOME_IS_FINAL -> outcomes.outcomeIsFinal(trial.subject(side));
            case OUTCOME_AND_WRITE_AGREE -> outcomes.outcomeAndWriteAgree(trial.subject(side));
            case KEY_OF_IS_KNOWN -> outcomes.keyOfIsKnown(trial.subject(side));
            case SHADOW_NEVER_WRITES -> fence.shadowNeverWrites(trial.subject(side));
            case COPY_KEEPS_EVERYTHING -> copies.copyKeepsEverything(trial.subject(side));
            case COPY_TWICE_IS_ONCE -> copies.copyTwiceIsOnce(trial.subject(side));
            case NOTHING_HAPPENED_IS_TRUE -> {
                writes.failureIsTold(trial.subject(side), Fault.UNREACHABLE);
                writes.failureIsTold(trial.subject(side), Fault.BEFORE_COMMIT);
            }
            case LOST_ANSWER_IS_UNKNOWN -> writes.failureIsTold(trial.subject(side), Fault.ANSWER_LOST);
            case CONCURRENT_WRITES_ADD_UP -> crowds.concurrentWritesAddUp(trial.subject(side));
            case MOVES_LOSE_NOTHING -> crowds.movesLoseNothing(trial.subject(side));
        }
    }
}
