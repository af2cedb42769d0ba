package io.sluice.migration.plan;

import io.sluice.core.decision.KeyBucket;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where the keys of one migration should be. Immutable; a change is a plan with the next revision.
 *
 * <p>A key should be owned by the new side when its bucket ({@link KeyBucket}) is below {@link #newPercent()}, or when
 * it stands in {@link #alsoNew()}. So more percent only ever adds keys, and every process that has the plan gives the
 * same answer without asking anybody. That answer is a wish: who owns a key is a row in the database, see
 * {@code owner}.
 *
 * @param migration its name: 1..63 of {@code a-z 0-9 -}, starting with a letter
 * @param revision counts the changes, from 1; within 1..2^42
 * @param newPercent 0..100, whole: there are 100 buckets
 * @param alsoNew keys that go first, whatever their bucket
 * @param heldBack keys that no percentage may take along: a plan whose percentage would reach one is refused, so that
 *     somebody decides about it
 */
public record Plan(String migration, long revision, int newPercent, Set<String> alsoNew, Set<String> heldBack) {
    /** How many keys a list may name. */
    public static final int LONGEST_LIST = 10_000;

    private static final long LAST_REVISION = 1L << 42;
    private static final int MOVES_BITS = 20;
    private static final long HANDED_BACK = 1L << (MOVES_BITS - 1);

    /** @throws RefusedException with every problem, contradictions between percentage and lists included */
    public Plan {
        alsoNew = Set.copyOf(alsoNew);
        heldBack = Set.copyOf(heldBack);
        Problems problems = new Problems();
        problems.require(
                isName(migration), "migration", migration, "must have 1..63 of a-z 0-9 -, starting with a letter");
        problems.require(
                revision >= 1 && revision <= LAST_REVISION, "revision", revision, "must be within 1.." + LAST_REVISION);
        problems.require(
                newPercent >= 0 && newPercent <= 100, "newPercent", newPercent, "must be a whole number within 0..100");
        requireList("alsoNew", alsoNew, problems);
        requireList("heldBack", heldBack, problems);
        for (String key : new TreeSet<>(heldBack)) {
            if (alsoNew.contains(key)) {
                problems.add("heldBack", key, "must not hold a key that alsoNew sends to new");
            } else if (KeyBucket.of(key) < newPercent) {
                problems.add(
                        "heldBack",
                        key + " (bucket " + KeyBucket.of(key) + ")",
                        "must not hold a key that newPercent " + newPercent
                                + " sends to new: take it off the list, or stay at " + KeyBucket.of(key)
                                + " percent or less");
            }
        }
        problems.throwIfAny();
    }

    /** Everything at legacy: where each migration starts. */
    public static Plan start(String migration) {
        return new Plan(migration, 1, 0, Set.of(), Set.of());
    }

    /**
     * A plan from lists as people write them.
     *
     * @throws RefusedException also for a key that a list names twice
     */
    public static Plan of(
            String migration, long revision, int newPercent, List<String> alsoNew, List<String> heldBack) {
        Problems problems = new Problems();
        requireOnce("alsoNew", alsoNew, problems);
        requireOnce("heldBack", heldBack, problems);
        Plan plan = problems.part(
                "", () -> new Plan(migration, revision, newPercent, Set.copyOf(alsoNew), Set.copyOf(heldBack)));
        problems.throwIfAny();
        return Objects.requireNonNull(plan);
    }

    /** The side that should own a key. An empty key is nobody's, so nothing new is tried with it. Allocates nothing. */
    public Side wanted(String key) {
        if (key.isEmpty()) {
            return Side.LEGACY;
        }
        if (newPercent == 100 || (newPercent > 0 && KeyBucket.of(key) < newPercent)) {
            return Side.NEW;
        }
        return !alsoNew.isEmpty() && alsoNew.contains(key) ? Side.NEW : Side.LEGACY;
    }

    /**
     * The first epoch of this plan: every key that is moved under it gets this one or a later one, and every key that
     * was moved before has an earlier one. Room for a million moves of one key within one plan, half of them before
     * {@link #handBackEpoch}.
     */
    public long epoch() {
        return revision << MOVES_BITS;
    }

    /** The revision of the plan under which an epoch was given; 0 for a key that never moved. */
    public static long revisionOf(long epoch) {
        return epoch >>> MOVES_BITS;
    }

    /**
     * The least epoch for handing a key back that has this epoch: within the same plan's, in their upper half. By that
     * such a key is known from one whose move was begun and given up, which is tried again.
     */
    public static long handBackEpoch(long epoch) {
        return epoch | HANDED_BACK;
    }

    /**
     * Whether a key that has this epoch was handed back under this plan or a later one: then it stays where it is until
     * the next one, wherever this plan wants it.
     */
    public boolean isHandedBack(Side owner, long epoch) {
        return owner == Side.LEGACY && revisionOf(epoch) >= revision && (epoch & HANDED_BACK) != 0;
    }

    /** The next plan, with another percentage. */
    public Plan withPercent(int percent) {
        return new Plan(migration, revision + 1, percent, alsoNew, heldBack);
    }

    private static boolean isName(String name) {
        return name.matches("[a-z][a-z0-9-]{0,62}");
    }

    private static void requireList(String path, Set<String> keys, Problems problems) {
        problems.require(keys.size() <= LONGEST_LIST, path, keys.size() + " keys", "must name at most " + LONGEST_LIST);
        keys.stream().sorted(Comparator.naturalOrder()).forEach(key -> problems.part(path, () -> Keys.require(key)));
    }

    private static void requireOnce(String path, List<String> keys, Problems problems) {
        Set<String> seen = new TreeSet<>();
        Set<String> twice = new TreeSet<>();
        keys.forEach(key -> {
            if (!seen.add(key)) {
                twice.add(key);
            }
        });
        twice.forEach(key -> problems.add(path, key, "must be named once"));
    }
}
