package io.sluice.core.guard;

import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.RefusedException;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How canary is held against stable over the same time.
 *
 * @param alpha the chance that all these comparisons together, in all stages, take back a canary that is no worse
 * @param critical what counts; everything else is compared too, and only shown. Empty: stable decides nothing, and a
 *     stable lane without requests is no reason to hold.
 * @param objective a request that takes longer is slow where customers with slow requests are compared, 1 ms..10 min;
 *     null for the limit on P99. With one of its own, the limit on P99 is judged from the histogram: rounded up to the
 *     edge of its bucket, by at most 3.2 %.
 */
public record Baseline(
        Alpha alpha, Set<Compared> critical, @Nullable Duration objective) {
    /** Errors and slow requests, at 1 %. */
    public static final Baseline DEFAULT = new Baseline(Alpha.DEFAULT, EnumSet.of(Compared.ERRORS, Compared.SLOW));

    /** Nothing of stable counts. */
    public static final Baseline OFF = new Baseline(Alpha.DEFAULT, Set.of());

    /** One whose objective is the limit on P99. */
    public Baseline(Alpha alpha, Set<Compared> critical) {
        this(alpha, critical, null);
    }

    public Baseline {
        if (objective != null
                && (objective.compareTo(Duration.ofMillis(1)) < 0 || objective.compareTo(Duration.ofMinutes(10)) > 0)) {
            throw new RefusedException("objective", DurationWord.of(objective), "must be within 1ms..10m");
        }
        // In the order of the enum, so that what is written of it is always the same.
        critical = critical.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(critical));
    }

    /** From where on a request is slow, beside these limits. */
    public Duration slowerThan(Thresholds limits) {
        return objective == null ? limits.maxP99() : objective;
    }
}
