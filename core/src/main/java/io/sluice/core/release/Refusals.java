package io.sluice.core.release;

import java.util.List;

/**
 * Who could not use the newest rules that it got, and so decides by older ones. A share that rises now would rise for some
 * only. Answers at once with what it knows.
 */
@FunctionalInterface
public interface Refusals {
    /** The names of these processes; empty when everybody could. */
    List<String> refusing();

    /** For releases whose processes are not known. */
    static Refusals none() {
        return List::of;
    }
}
