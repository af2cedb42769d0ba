package io.sluice.wire.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.core.problem.RefusedException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * Cuts a {@code text/event-stream} into events, as far as the server uses it: {@code event} and {@code data} lines,
 * ended by LF or CRLF; comments, {@code id} and {@code retry} are passed over. Holds at most one event's bytes.
 */
final class EventParser {
    /** Enough for the largest rule set and the words around it. */
    private static final int LARGEST_EVENT = (1 << 20) + 1024;

    private static final String DEFAULT_EVENT = "message";

    private final Listener listener;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private String event = DEFAULT_EVENT;
    private boolean hasData;

    EventParser(Listener listener) {
        this.listener = listener;
    }

    @FunctionalInterface
    interface Listener {
        void event(String name, byte[] data);
    }

    /** @throws RefusedException when an event is too large to be one of the server's */
    void feed(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next == '\n') {
                endLine();
            } else if (line.size() + data.size() < LARGEST_EVENT) {
                line.write(next);
            } else {
                throw new RefusedException("event", "more than " + LARGEST_EVENT + " bytes", "must be at most that");
            }
        }
    }

    private void endLine() {
        byte[] bytes = line.toByteArray();
        line.reset();
        int length = bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? bytes.length - 1 : bytes.length;
        if (length == 0) {
            endEvent();
            return;
        }
        int colon = indexOfColon(bytes, length);
        String field = new String(bytes, 0, colon, UTF_8);
        int from = Math.min(length, colon + 1);
        if (from < length && bytes[from] == ' ') {
            from++;
        }
        if (field.equals("event")) {
            event = new String(bytes, from, length - from, UTF_8);
        } else if (field.equals("data")) {
            if (hasData) {
                data.write('\n');
            }
            data.write(bytes, from, length - from);
            hasData = true;
        }
    }

    private void endEvent() {
        if (hasData) {
            listener.event(event, data.toByteArray());
        }
        data.reset();
        hasData = false;
        event = DEFAULT_EVENT;
    }

    private static int indexOfColon(byte[] bytes, int length) {
        int at = 0;
        while (at < length && bytes[at] != ':') {
            at++;
        }
        return at;
    }
}
