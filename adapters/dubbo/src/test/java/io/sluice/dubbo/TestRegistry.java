package io.sluice.dubbo;

/** A real registry on loopback, as the processes of a test find each other in it. */
interface TestRegistry extends AutoCloseable {
    /** As Dubbo is told of it, like {@code zookeeper://127.0.0.1:2181}. */
    String url();

    /** Ends it: nobody can register and nobody is told of anything until it is back. */
    void stop() throws Exception;

    /** Starts it again where it was. */
    void restart() throws Exception;
}
