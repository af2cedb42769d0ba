package io.sluice.server.rules;

import io.sluice.server.edge.Connection;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One reader of the stream. Nothing here blocks, and nothing is copied: a reader is given a piece when its connection takes
 * one, and what waits is in one place, where newer rules replace older ones. So a stuck reader costs one piece and a
 * reference, delays nobody, and gets the newest state when it comes back. One that takes nothing for the container's write
 * time-out, or not all of an event in {@value #SLOWEST_SECONDS} seconds, is cut off, and with it the old document it holds.
 */
final class RuleStream implements WriteListener, AsyncListener {
    private static final long SLOWEST_SECONDS = 30;

    private final AsyncContext connection;
    private final Connection line;
    private final ServletOutputStream out;
    private final LongSupplier nanoClock;
    private final Consumer<RuleStream> onEnd;

    // All guarded by this.
    private @Nullable RuleDocument waiting;
    private @Nullable Outgoing outgoing;
    private long outgoingSince;
    private boolean started;
    private boolean beatIsDue;
    private boolean mustFlush;
    private boolean ended;

    RuleStream(AsyncContext connection, ServletOutputStream out, LongSupplier nanoClock, Consumer<RuleStream> onEnd) {
        this.connection = connection;
        this.line = Connection.of(connection.getRequest());
        this.out = out;
        this.nanoClock = nanoClock;
        this.onEnd = onEnd;
    }

    /** Begins, with a document that holds now, unless a newer one was offered already. */
    synchronized void open(RuleDocument document) {
        waiting = waiting == null ? document : waiting;
        out.setWriteListener(this);
    }

    /** Sends a document, now or as soon as the reader takes it. */
    synchronized void offer(RuleDocument document) {
        waiting = document;
        write(document);
    }

    /** Sends a beat, unless something else is still under way; cuts off a reader that takes too long over that. */
    synchronized void beat(RuleDocument current) {
        if (outgoing != null && nanoClock.getAsLong() - outgoingSince > TimeUnit.SECONDS.toNanos(SLOWEST_SECONDS)) {
            line.cut();
            return;
        }
        beatIsDue = true;
        write(current);
    }

    @Override
    public synchronized void onWritePossible() {
        // The request that began the stream is through; before that, the response is not ours to write from here.
        started = true;
        write(null);
    }

    @Override
    public void onError(Throwable failure) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end();
    }

    @Override
    public void onError(AsyncEvent event) {
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // Nobody starts it again.
    }

    private void write(@Nullable RuleDocument current) {
        try {
            while (started && !ended && out.isReady()) {
                if (mustFlush) {
                    mustFlush = false;
                    out.flush();
                } else if (outgoing != null) {
                    writePiece(outgoing);
                } else if (waiting != null) {
                    begin(waiting.event());
                    waiting = null;
                } else if (beatIsDue && current != null) {
                    begin(current.beat());
                } else {
                    return;
                }
            }
        } catch (IOException | IllegalStateException gone) {
            end();
        }
    }

    private void begin(List<byte[]> event) {
        outgoing = new Outgoing(event);
        outgoingSince = nanoClock.getAsLong();
        beatIsDue = false;
    }

    private void writePiece(Outgoing event) throws IOException {
        event.writePiece(out);
        mustFlush = true;
        if (event.isOver()) {
            outgoing = null;
        }
    }

    /** Ends the stream from this side; once is enough. */
    void end() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            waiting = null;
            outgoing = null;
        }
        onEnd.accept(this);
        try {
            connection.complete();
        } catch (IllegalStateException over) {
            // The container was faster; the stream is over either way.
        }
    }
}
