package io.sluice.core.guard;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * How canary is held against stable over the same time.
 *
 * @param alpha the chance that all these comparisons together, in all stages, take back a canary that is no worse
 * @param critical what counts; everything else is compared too, and only shown. Empty: stable decides nothing, and a
 *     stable lane without requests is no reason to hold.
 */
public record Baseline(Alpha alpha, Set<Compared> critical) {
    /** Errors and slow requests, at 1 %. */
    public static final Baseline DEFAULT = new Baseline(Alpha.DEFAULT, EnumSet.of(Compared.ERRORS, Compared.SLOW));

    /** Nothing of stable counts. */
    public static final Baseline OFF = new Baseline(Alpha.DEFAULT, Set.of());

    public Baseline {
        // In the order of the enum, so that what is written of it is always the same.
        critical = critical.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(critical));
    }
}
