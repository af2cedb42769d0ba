package io.sluice.center;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A line to a server of this machine, that can be cut, or fall silent without a word. */
public final class Line implements AutoCloseable {
    private final int server;
    private final int port;
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();
    private volatile ServerSocket door;
    private volatile boolean isSilent;

    private Line(int server) throws IOException {
        this.server = server;
        this.door = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
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

    /** Nothing goes through any more, and nobody is told. */
    public void silence() {
        isSilent = true;
    }

    /** Lets connect again; what was connected before is cut. */
    public void mend() {
        try {
            isSilent = false;
            cutEnds();
            if (door.isClosed()) {
                ServerSocket next = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.1"));
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
        cutEnds();
    }

    private void cutEnds() {
        ends.forEach(Line::closeQuietly);
        ends.clear();
    }

    private void admit(ServerSocket open) {
        try {
            while (true) {
                Socket client = open.accept();
                ends.add(client);
                if (!isSilent) {
                    connect(client);
                }
            }
        } catch (IOException cut) {
            // The line is cut.
        }
    }

    private void connect(Socket client) {
        try {
            Socket upstream = new Socket(InetAddress.getByName("127.0.0.1"), server);
            upstream.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            ends.add(upstream);
            run(() -> pass(client, upstream));
            run(() -> pass(upstream, client));
        } catch (IOException noServer) {
            closeQuietly(client);
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int length = in.read(buffer);
            while (length >= 0) {
                if (!isSilent) {
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
