package io.sluice.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends what it likes, byte by byte, and may never read. */
public final class RawClient implements AutoCloseable {
    private final Socket socket = new Socket();

    private RawClient(int port) throws IOException {
        socket.setReceiveBufferSize(2048);
        socket.setSoTimeout(60_000);
        socket.connect(new InetSocketAddress("127.0.0.1", port));
    }

    public static RawClient send(int port, String text) throws IOException {
        RawClient client = new RawClient(port);
        client.send(text);
        return client;
    }

    public void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** All that comes until the other end closes. */
    public String readAll() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            all.write(b);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    /** The first line that comes. */
    public String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        InputStream in = socket.getInputStream();
        for (int b = in.read(); b >= 0 && b != '\r'; b = in.read()) {
            line.append((char) b);
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
