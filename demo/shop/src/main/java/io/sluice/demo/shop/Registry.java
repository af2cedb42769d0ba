package io.sluice.demo.shop;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.File;
import java.net.InetSocketAddress;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.slf4j.LoggerFactory;

/**
 * The registry in which the shop's instances meet: one real ZooKeeper server on the loopback address, until killed.
 *
 * <p>It is tuned for a demo: it forgets dead instances within seconds and does not force its log to disk.
 *
 * <pre>java -cp ... io.sluice.demo.shop.Registry 2181 target/registry</pre>
 */
public final class Registry {

    /** ZooKeeper refuses session timeouts below two ticks; the shop's instances ask for three seconds. */
    private static final int TICK_MILLIS = 500;

    private static final int ANY_NUMBER_OF_CLIENTS = 0;

    private Registry() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 2 || !args[0].matches("\\d{1,5}")) {
            System.err.println("usage: Registry <port> <data directory>");
            System.exit(2);
        }
        run(Integer.parseInt(args[0]), new File(args[1]));
    }

    private static void run(int port, File directory) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        System.setProperty("zookeeper.forceSync", "no");
        System.setProperty("zookeeper.preAllocSize", "1024");
        var server = new ZooKeeperServer(new FileTxnSnapLog(directory, directory), TICK_MILLIS, "");
        var connections =
                ServerCnxnFactory.createFactory(new InetSocketAddress("127.0.0.1", port), ANY_NUMBER_OF_CLIENTS);
        connections.startup(server);
        System.out.println("registry ready on 127.0.0.1:" + connections.getLocalPort());
        connections.join();
    }
}
