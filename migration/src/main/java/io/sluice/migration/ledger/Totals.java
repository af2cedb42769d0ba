package io.sluice.migration.ledger;

import io.sluice.core.problem.RefusedException;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.plan.Side;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The merged report over all keys.
 *
 * @param bySide what each side owns; together that is all there is
 * @param onlyInLegacy how many keys only legacy's ledger has
 * @param onlyInNew how many keys only the new side's ledger has
 * @param inBoth how many keys both have: one of them is the truth, the other a copy
 * @param inNeither how many keys have an owner row and are in no ledger
 * @param moving how many keys are being moved, those that stand still included
 * @param findings how many keys have a finding of each kind; a kind without any is not in it
 * @param keysWithFindings how many keys have any
 */
public record Totals(
        Map<Side, Owns> bySide,
        long onlyInLegacy,
        long onlyInNew,
        long inBoth,
        long inNeither,
        long moving,
        Map<Finding.Kind, Long> findings,
        long keysWithFindings) {
    /**
     * What one side owns.
     *
     * @param keys how many, whether its ledger has them or not
     * @param sums over its ledger's amounts of these keys
     */
    public record Owns(long keys, Amounts sums) {
        Owns plus(Owns more) {
            SortedMap<String, Long> sum = new TreeMap<>(sums.byName());
            more.sums.byName().forEach((name, amount) -> sum.merge(name, amount, (a, b) -> add(name, a, b)));
            return new Owns(keys + more.keys, new Amounts(sum));
        }
    }

    public Totals {
        bySide = Map.copyOf(bySide);
        findings = Map.copyOf(findings);
    }

    public Owns of(Side side) {
        return bySide.getOrDefault(side, new Owns(0, Amounts.NONE));
    }

    /**
     * Both sides together.
     *
     * @throws RefusedException when an amount does not fit into 64 bits
     */
    public Owns merged() {
        return of(Side.LEGACY).plus(of(Side.NEW));
    }

    /** Whether there is no finding. */
    public boolean addsUp() {
        return keysWithFindings == 0;
    }

    private static long add(String name, long a, long b) {
        try {
            return Math.addExact(a, b);
        } catch (ArithmeticException tooLarge) {
            throw new RefusedException(name, "a sum beyond 2^63", "must add up to a number of 64 bits");
        }
    }

    /** Totals while keys are added. */
    static final class Sum {
        private final Map<Side, SortedMap<String, Long>> sums = new EnumMap<>(Side.class);
        private final Map<Side, Long> keys = new EnumMap<>(Side.class);
        private final Map<Finding.Kind, Long> findings = new EnumMap<>(Finding.Kind.class);
        private long onlyInLegacy;
        private long onlyInNew;
        private long inBoth;
        private long inNeither;
        private long moving;
        private long keysWithFindings;

        Sum() {
            for (Side side : Side.values()) {
                sums.put(side, new TreeMap<>());
                keys.put(side, 0L);
            }
        }

        void add(KeyReport key) {
            Side owner = key.owned().side();
            keys.merge(owner, 1L, Long::sum);
            if (key.truth() != null) {
                SortedMap<String, Long> sum = sums.getOrDefault(owner, new TreeMap<>());
                key.truth()
                        .byName()
                        .forEach((name, amount) -> sum.merge(name, amount, (a, b) -> Totals.add(name, a, b)));
            }
            if (key.isIn(Side.LEGACY)) {
                if (key.isIn(Side.NEW)) {
                    inBoth++;
                } else {
                    onlyInLegacy++;
                }
            } else if (key.isIn(Side.NEW)) {
                onlyInNew++;
            } else {
                inNeither++;
            }
            if (key.owned().isFrozen()) {
                moving++;
            }
            key.findings().stream().map(Finding::kind).distinct().forEach(kind -> findings.merge(kind, 1L, Long::sum));
            if (!key.findings().isEmpty()) {
                keysWithFindings++;
            }
        }

        Totals totals() {
            Map<Side, Owns> bySide = new EnumMap<>(Side.class);
            keys.forEach((side, count) ->
                    bySide.put(side, new Owns(count, new Amounts(sums.getOrDefault(side, new TreeMap<>())))));
            return new Totals(bySide, onlyInLegacy, onlyInNew, inBoth, inNeither, moving, findings, keysWithFindings);
        }
    }
}
