package io.sluice.wire.remote;

import io.sluice.core.problem.RefusedException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the server's stream of rules, from its opening to its end. Tells everything on the executor it is
 * given, in order, and reads on only when that is done: a slow listener never piles up events.
 */
final class RuleStream implements Flow.Subscriber<List<ByteBuffer>> {
    private final Executor loop;
    private final Listener listener;
    private final EventParser parser = new EventParser(this::event);
    private final CompletableFuture<HttpResponse<Void>> connection;
    private volatile Flow.@Nullable Subscription subscription;

    interface Listener {
        void event(RuleStream stream, String name, byte[] data);

        void refused(RuleStream stream, RefusedException refused);

        /** The last call, also when the stream never opened. */
        void ended(RuleStream stream);
    }

    private RuleStream(DataPlane server, Executor loop, Listener listener) {
        this.loop = loop;
        this.listener = listener;
        this.connection = server.openStream(this);
    }

    /** Called on the executor, so that nothing is told before this returns. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener is told of the end, whatever it was
    static RuleStream open(DataPlane server, Executor loop, Listener listener) {
        RuleStream stream = new RuleStream(server, loop, listener);
        stream.connection.whenComplete((answer, failure) -> stream.tell(() -> listener.ended(stream)));
        return stream;
    }

    /** Whether the server has answered, be it with an error. Once it has ended. */
    boolean wasAnswered() {
        return subscription != null || !connection.isCompletedExceptionally();
    }

    /** Called on the executor. */
    void cut() {
        stopReading();
        connection.cancel(true);
    }

    @Override
    public void onSubscribe(Flow.Subscription opened) {
        subscription = opened;
        opened.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        try {
            buffers.forEach(parser::feed);
        } catch (RefusedException refused) {
            tell(() -> {
                listener.refused(this, refused);
                cut();
            });
            return;
        }
        tell(this::readOn);
    }

    @Override
    public void onError(Throwable failure) {
        // Told by the connection's end.
    }

    @Override
    public void onComplete() {
        // Told by the connection's end.
    }

    private void event(String name, byte[] data) {
        tell(() -> listener.event(this, name, data));
    }

    private void readOn() {
        Flow.Subscription open = subscription;
        if (open != null) {
            open.request(1);
        }
    }

    private void tell(Runnable news) {
        try {
            loop.execute(news);
        } catch (RejectedExecutionException closed) {
            stopReading();
        }
    }

    private void stopReading() {
        Flow.Subscription open = subscription;
        if (open != null) {
            open.cancel();
        }
    }
}
