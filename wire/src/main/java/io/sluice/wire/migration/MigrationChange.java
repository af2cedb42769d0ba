package io.sluice.wire.migration;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an operator wants to be different about a migration. What is absent stays as it is.
 *
 * @param why for the journal, 1..{@value #LONGEST_WHY} characters
 * @param version of the directive that the operator has seen: when there is a later one, the change is refused. Empty for
 *     whatever there is
 * @param newPercent 0..100
 * @param alsoNew the whole list
 * @param heldBack the whole list
 * @param retry whether keys that were handed back are to be tried again, even when the plan does not change
 */
public record MigrationChange(
        String why,
        OptionalLong version,
        Optional<Integer> newPercent,
        Optional<List<String>> alsoNew,
        Optional<List<String>> heldBack,
        Optional<Integer> keysPerSecond,
        Optional<Boolean> paused,
        boolean retry) {
    public static final int LONGEST_WHY = 500;

    /** @throws io.sluice.core.problem.RefusedException with every problem; also when nothing would change */
    public MigrationChange {
        alsoNew = alsoNew.map(List::copyOf);
        heldBack = heldBack.map(List::copyOf);
        Problems problems = new Problems();
        problems.part("why", () -> requireWhy(why));
        boolean isOfPlan = newPercent.isPresent() || alsoNew.isPresent() || heldBack.isPresent() || retry;
        problems.require(
                isOfPlan || keysPerSecond.isPresent() || paused.isPresent(),
                "change",
                "empty",
                "must have one of newPercent, alsoNew, heldBack, keysPerSecond, paused, retry");
        problems.throwIfAny();
    }

    /** A change of the percentage alone. */
    public static MigrationChange percent(int newPercent, String why) {
        return new MigrationChange(
                why,
                OptionalLong.empty(),
                Optional.of(newPercent),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    /** Everything back to legacy: no percentage, no list. */
    public static MigrationChange back(String why) {
        return new MigrationChange(
                why,
                OptionalLong.empty(),
                Optional.of(0),
                Optional.of(List.of()),
                Optional.of(List.of()),
                Optional.empty(),
                Optional.of(false),
                false);
    }

    /** Other lists; one that is absent stays as it is. */
    public static MigrationChange lists(Optional<List<String>> alsoNew, Optional<List<String>> heldBack, String why) {
        return new MigrationChange(
                why,
                OptionalLong.empty(),
                Optional.empty(),
                alsoNew,
                heldBack,
                Optional.empty(),
                Optional.empty(),
                false);
    }

    /** Another pace. */
    public static MigrationChange pace(int keysPerSecond, String why) {
        return new MigrationChange(
                why,
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(keysPerSecond),
                Optional.empty(),
                false);
    }

    /** No further move begins, or moves go on. */
    public static MigrationChange paused(boolean paused, String why) {
        return new MigrationChange(
                why,
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(paused),
                false);
    }

    /** The same plan once more, so that keys that were handed back are tried again. */
    public static MigrationChange retry(String why) {
        return new MigrationChange(
                why,
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                true);
    }

    /** The same change, refused unless the directive has this version; empty for whatever there is. */
    public MigrationChange at(OptionalLong seen) {
        return new MigrationChange(why, seen, newPercent, alsoNew, heldBack, keysPerSecond, paused, retry);
    }

    static String requireWhy(String why) {
        if (why.isBlank() || why.length() > LONGEST_WHY) {
            throw new RefusedException(
                    "",
                    why.isBlank() ? "empty" : why.length() + " characters",
                    "must say why, for the journal, in at most " + LONGEST_WHY + " characters");
        }
        return why;
    }

    /** Whether the plan gets a new revision by it. */
    public boolean isOfPlan() {
        return newPercent.isPresent() || alsoNew.isPresent() || heldBack.isPresent() || retry;
    }

    /**
     * The directive that follows.
     *
     * @param before what was wanted until now
     * @param leastVersion processes may have taken later ones, of a server whose database was lost, say; the result is
     *     later than this as well
     * @param leastRevision the same for the plan
     * @throws io.sluice.core.problem.RefusedException with every problem, such as a list against the percentage
     */
    public Directive applyTo(Directive before, long leastVersion, long leastRevision) {
        Plan plan = before.plan();
        Pace pace = before.pace();
        long revision = isOfPlan() ? Math.max(plan.revision(), leastRevision) + 1 : plan.revision();
        Problems problems = new Problems();
        Plan nextPlan = problems.part(
                "",
                () -> Plan.of(
                        plan.migration(),
                        revision,
                        newPercent.orElse(plan.newPercent()),
                        alsoNew.orElseGet(() -> List.copyOf(plan.alsoNew())),
                        heldBack.orElseGet(() -> List.copyOf(plan.heldBack()))));
        Pace nextPace = problems.part(
                "", () -> new Pace(keysPerSecond.orElse(pace.keysPerSecond()), paused.orElse(pace.isPaused())));
        problems.throwIfAny();
        return new Directive(
                Math.max(before.version(), leastVersion) + 1,
                Objects.requireNonNull(nextPlan),
                Objects.requireNonNull(nextPace));
    }
}
