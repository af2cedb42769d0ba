package io.sluice.center;

/** A way to one document of a real centre, that can be cut while the centre goes on. */
public interface Way extends AutoCloseable {
    /** A client that goes this way. */
    ConfigCenter connect();

    void cut() throws Exception;

    void mend() throws Exception;

    @Override
    void close() throws Exception;
}
