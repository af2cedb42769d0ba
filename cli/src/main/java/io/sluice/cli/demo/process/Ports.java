package io.sluice.cli.demo.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * A row of consecutive ports on the loopback address.
 *
 * @param first the smallest of them
 * @param count how many there are
 */
public record Ports(int first, int count) {
    /** The largest port there is. */
    public static final int LARGEST = 65_535;

    // Below Linux's ephemeral range, so that no outgoing connection takes one before its program does.
    private static final int SEARCH_FROM = 18_000;
    private static final int SEARCH_TO = 32_000;
    private static final int ATTEMPTS = 200;

    /** Ports that nobody uses. */
    public static Ports free(int count) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int first = ThreadLocalRandom.current().nextInt(SEARCH_FROM, SEARCH_TO - count);
            Ports found = new Ports(first, count);
            if (found.inUse().isEmpty()) {
                return found;
            }
        }
        throw new IllegalStateException("no " + count + " free ports in a row between " + SEARCH_FROM + " and "
                + SEARCH_TO + "; name some with --ports");
    }

    /** Those of them that somebody listens on. */
    public List<Integer> inUse() {
        return IntStream.range(first, first + count)
                .filter(port -> !isFree(port))
                .boxed()
                .toList();
    }

    /** The port with that place in the row. */
    public int at(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException(index);
        }
        return first + index;
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
