package io.sluice.core.rule;

import io.sluice.core.rule.InMemoryRuleSource.Offer;
import io.sluice.testing.Requirement;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Whatever the threads do to the holder of the rules, and whichever is let on at each of its reads and writes: all that it
 * answers could have been answered one call after the other, by the plain model below. Lincheck makes up the calls and
 * decides who goes on.
 */
@Requirement("F5")
@Param(name = "revision", gen = IntGen.class, conf = "1:3")
@Param(name = "percent", gen = IntGen.class, conf = "1:2")
public class NewestWinsModelTest {
    private static final RuleSet[][] RULES = new RuleSet[4][3];

    static {
        for (int revision = 1; revision <= 3; revision++) {
            for (int percent = 1; percent <= 2; percent++) {
                RULES[revision][percent] = RuleSet.of(0, revision, List.of(SampleRule.live("r1", percent, "order")));
            }
        }
    }

    private final InMemoryRuleSource source = new InMemoryRuleSource();
    private boolean hasFallen; // Listeners are called one at a time.

    @Operation
    public Offer offer(@Param(name = "revision") int revision, @Param(name = "percent") int percent) {
        return source.offer(RULES[revision][percent]);
    }

    @Operation
    public int current() {
        return numberOf(source.current());
    }

    /** What a new listener hears first. */
    @Operation
    public int subscribe() {
        int[] heard = {-1, -1};
        source.subscribe(rules -> {
            int number = numberOf(rules);
            hasFallen |= number / 10 <= heard[1] / 10 && heard[1] >= 0;
            heard[0] = heard[0] < 0 ? number : heard[0];
            heard[1] = number;
        });
        return heard[0];
    }

    @Validate
    public void everyListenerHearsRisingRevisions() {
        if (hasFallen) {
            throw new IllegalStateException("a listener heard a revision that was not newer");
        }
    }

    private static int numberOf(RuleSet rules) {
        int revision = (int) rules.revision();
        if (revision == 0) {
            return 0;
        }
        return 10 * revision + (rules == RULES[revision][1] ? 1 : 2);
    }

    /** What it is to be, for one thread. */
    public static final class Model {
        private int revision;
        private int percent;

        public Offer offer(int offeredRevision, int offeredPercent) {
            if (offeredRevision > revision) {
                revision = offeredRevision;
                percent = offeredPercent;
                return Offer.APPLIED;
            }
            if (offeredRevision < revision) {
                return Offer.OLDER;
            }
            return offeredPercent == percent ? Offer.KNOWN : Offer.CONFLICT;
        }

        public int current() {
            return 10 * revision + percent;
        }

        public int subscribe() {
            return current();
        }
    }

    @Test
    void itIsAsIfOneCallCameAfterTheOther() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(1)
                .iterations(10)
                .invocationsPerIteration(200)
                .sequentialSpecification(Model.class)
                .check(NewestWinsModelTest.class);
    }
}
