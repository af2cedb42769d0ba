package io.sluice.server.edge;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * The body of one request while it comes. No thread waits for it: the container calls when there is more. It is over once,
 * by its end, its limit, its deadline or the need of others; then the request is dispatched again.
 */
final class IncomingBody implements ReadListener, AsyncListener {
    static final int LARGEST = 1 << 20;
    private static final int CHUNK = 8192;

    private final AsyncContext connection;
    private final ServletInputStream in;
    private final IncomingBodies all;
    private final String address;
    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
    private final byte[] chunk = new byte[CHUNK];

    // Used by the one container thread at a time that reads.
    private ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);
    private boolean tooLarge;

    IncomingBody(AsyncContext connection, ServletInputStream in, IncomingBodies all, String address) {
        this.connection = connection;
        this.in = in;
        this.all = all;
        this.address = address;
    }

    /** What became of it: all its bytes, or why they were not waited for. */
    record Outcome(byte[] bytes, @Nullable ResponseStatusException refusal) {
        static Outcome refused(HttpStatus status, String why) {
            return new Outcome(new byte[0], new ResponseStatusException(status, why));
        }

        static Outcome tooLarge() {
            return refused(HttpStatus.CONTENT_TOO_LARGE, "a body must have at most " + LARGEST + " bytes");
        }
    }

    /** Where it comes from. */
    String address() {
        return address;
    }

    /** What became of it; asked once the request is dispatched again. */
    @Nullable
    Outcome outcome() {
        return outcome.get();
    }

    /** Gives it up for the sake of others. */
    void giveUp() {
        end(Outcome.refused(HttpStatus.SERVICE_UNAVAILABLE, "too many bodies are on their way in; try again"));
    }

    @Override
    public void onDataAvailable() {
        try {
            while (outcome.get() == null && in.isReady() && !in.isFinished()) {
                int read = in.read(chunk);
                if (read > 0 && !tooLarge) {
                    take(read);
                }
            }
        } catch (IOException broken) {
            end(Outcome.refused(HttpStatus.BAD_REQUEST, "the body broke off"));
        }
    }

    @Override
    public void onAllDataRead() {
        end(tooLarge ? Outcome.tooLarge() : new Outcome(bytes.toByteArray(), null));
    }

    /** What is too large is read on and thrown away until its deadline: who still writes would not read the refusal. */
    private void take(int read) {
        if (bytes.size() + read > LARGEST) {
            tooLarge = true;
            all.keepsNothing(this);
            bytes = new ByteArrayOutputStream(0);
            return;
        }
        bytes.write(chunk, 0, read);
        all.keeps(this, read);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end(
                tooLarge
                        ? Outcome.tooLarge()
                        : Outcome.refused(HttpStatus.REQUEST_TIMEOUT, "the body did not come in time"));
    }

    /** Nobody is there any more to be answered. */
    @Override
    public void onError(Throwable failure) {
        all.remove(this);
        if (outcome.compareAndSet(null, Outcome.refused(HttpStatus.BAD_REQUEST, "the body broke off"))) {
            connection.complete();
        }
    }

    private void end(Outcome how) {
        all.remove(this);
        if (outcome.compareAndSet(null, how)) {
            try {
                connection.dispatch();
            } catch (IllegalStateException over) {
                // The container ended it meanwhile, with the connection.
            }
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        all.remove(this);
    }

    @Override
    public void onError(AsyncEvent event) {
        all.remove(this);
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // What comes after the body is none of its business.
    }
}
