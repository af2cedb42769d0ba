package io.sluice.migration.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RememberedTest {
    private static final Plan PLAN = new Plan("stock", 3, 100, Set.of(), Set.of());

    private final Remembered remembered = new Remembered();

    @Test
    void whatThePlanSaysItselfIsNotRemembered() {
        remembered.note(owned("sku-1", Side.NEW, PLAN.epoch(), null), PLAN);

        assertThat(known("sku-1", PLAN)).isNull();
    }

    @Test
    void aKeyThatIsBeingMovedIsNotRemembered() {
        remembered.note(owned("sku-1", Side.LEGACY, PLAN.epoch(), Side.NEW), PLAN);

        assertThat(known("sku-1", PLAN)).isNull();
    }

    @Test
    void aLaterPlanThatAgreesLetsItBeForgotten() {
        Owned owned = owned("sku-1", Side.NEW, PLAN.epoch() + 2, null);
        remembered.note(owned, PLAN);
        assertThat(known("sku-1", PLAN)).isEqualTo(owned);

        Plan later = new Plan("stock", 4, 100, Set.of(), Set.of());
        assertThat(known("sku-1", later)).isNull();
        assertThat(known("sku-1", PLAN)).as("forgotten, not only passed over").isNull();
    }

    @Test
    void ofTwoKeysWithTheSamePlaceTheLaterOneStays() {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        Owned first = owned("Aa", Side.LEGACY, 0, null);
        Owned second = owned("BB", Side.LEGACY, 0, null);

        remembered.note(first, PLAN);
        remembered.note(second, PLAN);
        remembered.note(owned("Aa", Side.NEW, PLAN.epoch(), null), PLAN);

        assertThat(known("Aa", PLAN)).isNull();
        assertThat(known("BB", PLAN)).isEqualTo(second);
    }

    @Test
    void neverKeepsMoreThanItsPlaces() {
        int keys = 3 * Remembered.PLACES;
        IntStream.range(0, keys).forEach(i -> remembered.note(owned("sku-" + i, Side.LEGACY, 0, null), PLAN));

        long kept = IntStream.range(0, keys)
                .filter(i -> known("sku-" + i, PLAN) != null)
                .count();

        assertThat(kept).isBetween(Remembered.PLACES * 9L / 10, (long) Remembered.PLACES);
    }

    private @Nullable Owned known(String key, Plan plan) {
        return remembered.of(key, plan.wanted(key), plan);
    }

    private static Owned owned(String key, Side side, long epoch, @Nullable Side movingTo) {
        return new Owned(key, side, epoch, movingTo, Duration.ZERO);
    }
}
