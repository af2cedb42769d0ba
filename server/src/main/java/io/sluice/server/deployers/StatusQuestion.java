package io.sluice.server.deployers;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Asks an address for the status of a GET, and reads no further. Not the JDK's client: that one resolves the name again,
 * and cannot be told to connect to an address under another name.
 */
final class StatusQuestion {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([0-9]{3})(?: .*)?");
    private static final int LONGEST_LINE = 512;

    private final Duration connectWithin;
    private final Duration answerWithin;
    private final ScheduledExecutorService deadlines;

    /** @param deadlines ends what takes too long, a byte a second included */
    StatusQuestion(Duration connectWithin, Duration answerWithin, ScheduledExecutorService deadlines) {
        this.connectWithin = connectWithin;
        this.answerWithin = answerWithin;
        this.deadlines = deadlines;
    }

    /**
     * @param address where to connect, whatever the name in the URL resolves to by now
     * @throws IOException with a message for people, when there is no status in time
     */
    int ask(URI url, InetSocketAddress address) throws IOException {
        try (Socket plain = new Socket()) {
            plain.connect(address, (int) connectWithin.toMillis());
            ScheduledFuture<?> deadline =
                    deadlines.schedule(() -> close(plain), answerWithin.toMillis(), TimeUnit.MILLISECONDS);
            try {
                return "https".equals(url.getScheme()) ? askSecurely(url, plain) : ask(url, plain);
            } catch (IOException failed) {
                throw deadline.isDone()
                        ? new IOException("no answer within " + answerWithin.toSeconds() + " s", failed)
                        : failed;
            } finally {
                deadline.cancel(false);
            }
        } catch (SocketTimeoutException late) {
            throw new IOException("no connection within " + connectWithin.toSeconds() + " s", late);
        }
    }

    private static int askSecurely(URI url, Socket plain) throws IOException {
        SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        String host = url.getHost().replaceAll("[\\[\\]]", "");
        try (SSLSocket secure = (SSLSocket) factory.createSocket(plain, host, plain.getPort(), true)) {
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            secure.startHandshake();
            return ask(url, secure);
        }
    }

    private static int ask(URI url, Socket socket) throws IOException {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        String target = URI.create(path + query).toASCIIString();
        String host = url.getPort() == -1 ? url.getHost() : url.getHost() + ":" + url.getPort();
        String request = "GET " + target + " HTTP/1.1\r\nHost: " + host
                + "\r\nUser-Agent: sluice\r\nAccept: */*\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        Matcher status = STATUS.matcher(line(socket.getInputStream()));
        if (!status.matches()) {
            throw new IOException("an answer that is no HTTP");
        }
        return Integer.parseInt(status.group(1));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (line.length() == LONGEST_LINE) {
                throw new IOException("an answer that is no HTTP");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException already) {
            // Whoever reads from it sees the end either way.
        }
    }
}
