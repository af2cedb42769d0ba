package io.sluice.migration.ledger;

import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.ledger.Finding.Kind;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges two ledgers by the owner of each key and says what is wrong. Three sorted streams are read side by side, each
 * once, so it takes the same memory for any number of keys. All three must be of one instant, or what happened in
 * between is taken for a fault. Immutable.
 *
 * <p><b>What is no finding.</b>
 *
 * <ul>
 *   <li>A copy at the old side after a move, with just what was handed over. That there is none is fine too.
 *   <li>A copy at the new side of a key that was never copied there by a move or a mirroring: it was imported. Since nobody
 *       knows when, it may say anything. Once a mirroring has noted what it copied, the copy has to stay like that.
 *   <li>A key that is just being moved: frozen, at its old owner.
 *   <li>An owner row without a move of a key that neither ledger has: somebody asked for a key that does not exist.
 * </ul>
 */
public final class Reconciliation {
    /** A router finishes a move that has stood still for a second; this is ten times that. */
    public static final Duration STANDS_STILL = Duration.ofSeconds(10);

    private final Duration standsStill;

    /**
     * @param standsStill from which age on a frozen key is a finding
     * @throws RefusedException for a negative one
     */
    public Reconciliation(Duration standsStill) {
        if (standsStill.isNegative()) {
            throw new RefusedException("standsStill", DurationWord.of(standsStill), "must be 0s or more");
        }
        this.standsStill = standsStill;
    }

    /**
     * Goes through all three streams once.
     *
     * @param legacy what the old ledger says, by key
     * @param newer what the new ledger says, by key
     * @param owners the owner rows, by key; a key without one is legacy's
     * @throws RefusedException when a stream is not sorted by code points or has a key twice, with both keys, or when a
     *     sum does not fit into 64 bits; the keys before have been told of then
     */
    public Totals run(Iterator<Entry> legacy, Iterator<Entry> newer, Iterator<OwnerRow> owners, ReportReader reader) {
        Sorted<Entry> old = new Sorted<>("legacy", legacy, Entry::key);
        Sorted<Entry> young = new Sorted<>("new", newer, Entry::key);
        Sorted<OwnerRow> rows = new Sorted<>("owner", owners, row -> row.owned().key());
        Totals.Sum sum = new Totals.Sum();
        while (true) {
            String key = first(first(old.key(), young.key()), rows.key());
            if (key == null) {
                return sum.totals();
            }
            @Nullable OwnerRow row = rows.take(key);
            KeyReport report = judge(row == null ? OwnerRow.missing(key) : row, old.take(key), young.take(key));
            sum.add(report);
            reader.key(report);
        }
    }

    private static @Nullable String first(@Nullable String a, @Nullable String b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return Sorted.compare(a, b) <= 0 ? a : b;
    }

    private KeyReport judge(OwnerRow row, @Nullable Entry legacy, @Nullable Entry newer) {
        Owned owned = row.owned();
        boolean isLegacys = owned.side() == Side.LEGACY;
        @Nullable Amounts truth = amounts(isLegacys ? legacy : newer);
        @Nullable Amounts other = amounts(isLegacys ? newer : legacy);
        List<Finding> findings = new ArrayList<>();
        if (truth == null) {
            missing(owned, other, row.handed(), findings);
        } else {
            negative(truth, findings);
            if (other != null) {
                copied(owned, other, row.handed(), findings);
            }
        }
        if (owned.movingTo() != null && owned.age().compareTo(standsStill) >= 0) {
            findings.add(new Finding(
                    Kind.FROZEN,
                    "on its way to " + owned.movingTo().label() + " for "
                            + DurationWord.of(owned.age().truncatedTo(ChronoUnit.SECONDS))));
        }
        return new KeyReport(owned, truth, other, row.handed(), findings);
    }

    private static @Nullable Amounts amounts(@Nullable Entry entry) {
        return entry == null ? null : entry.amounts();
    }

    private static void missing(Owned owned, @Nullable Amounts other, Amounts handed, List<Finding> findings) {
        if (other != null) {
            findings.add(new Finding(
                    Kind.MISSING,
                    "belongs to " + owned.side().label() + ", but only "
                            + owned.side().other().label() + " has it: " + other));
        } else if (owned.epoch() > 0 || isKnown(handed)) {
            findings.add(new Finding(
                    Kind.MISSING,
                    "belongs to " + owned.side().label() + ", but neither has it"
                            + (isKnown(handed) ? "; handed over was " + handed : "")));
        }
    }

    private static boolean isKnown(Amounts handed) {
        return !handed.byName().isEmpty();
    }

    private static void negative(Amounts truth, List<Finding> findings) {
        SortedMap<String, Long> below = new TreeMap<>(truth.byName());
        below.values().removeIf(amount -> amount >= 0);
        if (!below.isEmpty()) {
            findings.add(new Finding(Kind.NEGATIVE, new Amounts(below).toString()));
        }
    }

    private static void copied(Owned owned, Amounts other, Amounts handed, List<Finding> findings) {
        if (!isKnown(handed) && owned.side() == Side.LEGACY) {
            return;
        }
        SortedMap<String, Long> expected = new TreeMap<>(handed.byName());
        expected.keySet().retainAll(other.byName().keySet());
        String where = owned.side().other().label();
        if (expected.isEmpty()) {
            findings.add(new Finding(
                    Kind.UNCHECKED,
                    where + " has " + other + ", and what was handed over is "
                            + (isKnown(handed) ? "only known as " + handed : "not known")));
        } else if (!expected.entrySet().stream()
                .allMatch(each -> Objects.equals(each.getValue(), other.byName().get(each.getKey())))) {
            findings.add(new Finding(
                    Kind.IN_BOTH,
                    where + " was written after the hand-over: " + other + ", handed over was " + handed));
        }
    }
}
