package io.sluice.core.propagation;

/** Writes to what carries a request on. */
@FunctionalInterface
public interface CarrierSetter<C> {
    /** Puts the one value of a name, in place of all that stood there. */
    void set(C carrier, String name, String value);
}
