package io.sluice.server.rules;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One reader of the stream. Nothing here blocks: what the reader's connection does not take now waits in one place, where
 * newer rules replace older ones. So a stuck reader costs one document, delays nobody, and gets the newest state when it
 * comes back; the container ends a connection that takes nothing for its write time-out.
 */
final class RuleStream implements WriteListener, AsyncListener {
    private final AsyncContext connection;
    private final ServletOutputStream out;
    private final Consumer<RuleStream> onEnd;

    // All guarded by this.
    private @Nullable RuleDocument waiting;
    private boolean started;
    private boolean beatIsDue;
    private boolean mustFlush;
    private boolean ended;

    RuleStream(AsyncContext connection, ServletOutputStream out, Consumer<RuleStream> onEnd) {
        this.connection = connection;
        this.out = out;
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

    /** Sends a beat, unless something else is still under way. */
    synchronized void beat(RuleDocument current) {
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
                } else if (waiting != null) {
                    send(waiting.event());
                } else if (beatIsDue && current != null) {
                    send(current.beat());
                } else {
                    return;
                }
            }
        } catch (IOException | IllegalStateException gone) {
            end();
        }
    }

    private void send(byte[] event) throws IOException {
        out.write(event);
        waiting = null;
        beatIsDue = false;
        mustFlush = true;
    }

    /** Ends the stream from this side; once is enough. */
    void end() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            waiting = null;
        }
        onEnd.accept(this);
        try {
            connection.complete();
        } catch (IllegalStateException over) {
            // The container was faster; the stream is over either way.
        }
    }
}
