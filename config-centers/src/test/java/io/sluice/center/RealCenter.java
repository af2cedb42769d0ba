package io.sluice.center;

/** A real config centre, for one test class, on this machine. */
public interface RealCenter extends AutoCloseable {
    /** A client of the document of that name. */
    ConfigCenter connect(String name);

    /** Another way to that document, which can be cut. */
    Way way(String name) throws Exception;

    /** Removes the document, by other means than those that are tested. */
    void delete(String name) throws Exception;

    /** Leaves the document there without a byte in it. */
    void empty(String name) throws Exception;

    /** Takes the whole centre away, as a crash would. */
    void kill() throws Exception;

    /** Brings it back, at the same place and with what it had. */
    void restart() throws Exception;

    @Override
    void close() throws Exception;
}
