package io.sluice.core.propagation;

/** The time during which a tag is current on a thread. Closing it restores what was current before. */
public interface Scope extends AutoCloseable {
    @Override
    void close();
}
