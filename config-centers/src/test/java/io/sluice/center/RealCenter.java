package io.sluice.center;

/** A real server of a config centre, for one test class, on this machine. */
public interface RealCenter extends AutoCloseable {
    /** Where clients connect to. */
    int port();

    /** A client that connects to this port, of this server or of a line to it. The name is that of the document. */
    ConfigCenter connect(int port, String name);

    /** Removes the document, by other means than those that are tested. */
    void delete(String name) throws Exception;

    /** Leaves the document there without a byte in it. */
    void empty(String name) throws Exception;

    /** Ends the server as a crash would. */
    void kill() throws Exception;

    /** Starts it again, at the same port and with what it had. */
    void restart() throws Exception;

    @Override
    void close() throws Exception;
}
