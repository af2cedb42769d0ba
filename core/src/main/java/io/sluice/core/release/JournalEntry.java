package io.sluice.core.release;

import io.sluice.core.guard.Verdict;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a release: who, when, what and why.
 *
 * @param at when, by the wall clock, for people only
 * @param release the release
 * @param actor the operator's name, or {@link #GUARD} or {@link #ORCHESTRATOR}
 * @param action a command's word, {@code create}, {@code advance}, {@code complete}, {@code step-back} or {@code verdict};
 *     {@code pause} and {@code abort} may be the guard's, too
 * @param why the reason given
 * @param outcome the phase it led to, with its percentage: {@code ramping 5%}
 * @param verdict the verdict at that moment, with its numbers; null when nothing was judged
 */
public record JournalEntry(
        Instant at,
        String release,
        String actor,
        String action,
        String why,
        String outcome,
        @Nullable Verdict verdict) {
    /** The actor of an abort, a step back or a pause that nobody asked for. */
    public static final String GUARD = "guard";

    /** The actor of an advance that nobody asked for. */
    public static final String ORCHESTRATOR = "orchestrator";
}
