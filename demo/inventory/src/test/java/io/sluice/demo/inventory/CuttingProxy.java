package io.sluice.demo.inventory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A wire to the database that breaks at commits: in turn the commit never arrives, or it arrives, is carried out, and its answer
 * is lost.
 */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket door;
    private final int target;
    private final int every;
    private final ExecutorService pumps = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong lostCommits = new AtomicLong();
    private final AtomicLong lostAnswers = new AtomicLong();

    /** @param every one of so many commits breaks the wire */
    CuttingProxy(int target, int every) throws IOException {
        this.target = target;
        this.every = every;
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        pumps.execute(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    long lostCommits() {
        return lostCommits.get();
    }

    long lostAnswers() {
        return lostAnswers.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                open.add(client);
                open.add(server);
                new Wire(client, server).begin();
            }
        } catch (IOException closed) {
            // The end of the test.
        }
    }

    private final class Wire {
        private final Socket client;
        private final Socket server;
        private volatile boolean losesAnswer;

        Wire(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void begin() {
            pumps.execute(() -> pump(client, server, true));
            pumps.execute(() -> pump(server, client, false));
        }

        private void pump(Socket from, Socket to, boolean isRequest) {
            byte[] buffer = new byte[64 * 1024];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    if (isRequest ? losesCommit(buffer, read) : losesAnswer) {
                        break;
                    }
                    out.write(buffer, 0, read);
                    out.flush();
                }
            } catch (IOException broken) {
                // Both ends learn of it below.
            } finally {
                close(client);
                close(server);
            }
        }

        private boolean losesCommit(byte[] request, int length) {
            if (!new String(request, 0, length, StandardCharsets.ISO_8859_1).contains("COMMIT")) {
                return false;
            }
            long commit = commits.incrementAndGet();
            if (commit % every != 0) {
                return false;
            }
            if (commit / every % 2 == 0) {
                lostCommits.incrementAndGet();
                return true;
            }
            lostAnswers.incrementAndGet();
            losesAnswer = true;
            return false;
        }
    }

    private void close(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket socket : open) {
            socket.close();
        }
        pumps.shutdownNow();
    }
}
