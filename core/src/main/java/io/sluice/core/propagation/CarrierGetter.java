package io.sluice.core.propagation;

import java.util.List;

/** Reads from what carries a request: an HTTP request, a message. */
@FunctionalInterface
public interface CarrierGetter<C> {
    /** All values under a name, in any case; empty when there are none. */
    List<String> values(C carrier, String name);
}
