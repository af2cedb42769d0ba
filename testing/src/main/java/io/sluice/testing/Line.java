package io.sluice.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A line to a server of this machine, that can be cut, or fall silent without a word. Safe for all threads. */
public final class Line implements AutoCloseable {
    // So few that a door that is shut soon answers nobody: the kernel then drops who wants to connect.
    private static final int WAITING = 4;

    private final int server;
    private final int port;
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();
    private final Object hinge = new Object();
    private volatile ServerSocket door;
    private volatile boolean isSilent;
    private volatile boolean isShut;

    /** How often it has fallen silent: what is older than the last time has lost bytes, and stays silent. */
    private final AtomicInteger silences = new AtomicInteger();

    private Line(int server) throws IOException {
        this.server = server;
        this.door = new ServerSocket(0, WAITING, InetAddress.getByName("127.0.0.1"));
        this.port = door.getLocalPort();
        run(() -> admit(door));
    }

    public static Line to(int server) {
        try {
            return new Line(server);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public int port() {
        return port;
    }

    /** Cuts what is connected; who tries again is refused. */
    public void cut() {
        close();
    }

    /** Nothing goes through any more, and nobody is told; who connects is connected, and hears nothing. */
    public void silence() {
        isSilent = true;
        silences.incrementAndGet();
    }

    /** The same, and but for the first few, who tries to connect gets no answer either. */
    public void vanish() {
        isShut = true;
        silence();
    }

    /** Lets new connections through again; those of before stay as silent as they are, as where a firewall has forgotten them. */
    public void heal() {
        isSilent = false;
        open();
    }

    /** Lets connect again; what was connected before is cut. */
    public void mend() {
        try {
            heal();
            cutEnds();
            if (door.isClosed()) {
                ServerSocket next = new ServerSocket(port, WAITING, InetAddress.getByName("127.0.0.1"));
                door = next;
                run(() -> admit(next));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        closeQuietly(door);
        open();
        cutEnds();
    }

    private void open() {
        synchronized (hinge) {
            isShut = false;
            hinge.notifyAll();
        }
    }

    private void awaitOpen() throws InterruptedException {
        synchronized (hinge) {
            while (isShut) {
                hinge.wait();
            }
        }
    }

    private void cutEnds() {
        ends.forEach(Line::closeQuietly);
        ends.clear();
    }

    private void admit(ServerSocket open) {
        try {
            while (true) {
                awaitOpen();
                Socket client = open.accept();
                ends.add(client);
                int born = silences.get();
                if (!isSilent) {
                    connect(client, born);
                }
            }
        } catch (IOException cut) {
            // The line is cut.
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void connect(Socket client, int born) {
        try {
            Socket upstream = new Socket(InetAddress.getByName("127.0.0.1"), server);
            upstream.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            ends.add(upstream);
            run(() -> pass(client, upstream, born));
            run(() -> pass(upstream, client, born));
        } catch (IOException noServer) {
            closeQuietly(client);
        }
    }

    private void pass(Socket from, Socket to, int born) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int length = in.read(buffer);
            while (length >= 0) {
                if (!isSilent && born == silences.get()) {
                    out.write(buffer, 0, length);
                    out.flush();
                }
                length = in.read(buffer);
            }
        } catch (IOException cut) {
            // Either side has gone; both go.
        }
    }

    private static void run(Runnable task) {
        Thread thread = new Thread(task, "line");
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(AutoCloseable end) {
        try {
            end.close();
        } catch (Exception alreadyClosed) {
            // As wanted.
        }
    }
}
