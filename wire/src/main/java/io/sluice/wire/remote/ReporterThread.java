package io.sluice.wire.remote;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The daemon thread of a reporter, and how it waits: never beyond the end of the reporter, but for its last word, for which
 * there is a second.
 */
final class ReporterThread {
    static final Duration LAST_WORD = Duration.ofSeconds(1);

    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Thread thread;

    /** @param work returns soon after the end has come */
    ReporterThread(String name, Runnable work) {
        this.thread = new Thread(work, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Whether only a last word is to be said. */
    boolean isEnding() {
        return end.isDone();
    }

    /** Waits until the end, for so long at most. @return whether it has come */
    boolean isEndingWithin(Duration most) {
        return await(end, most);
    }

    /** Waits for the server. Empty when there was no answer, and whether it got the report is not known. */
    <B> Optional<HttpResponse<B>> answer(CompletableFuture<HttpResponse<B>> answer, Duration within) {
        await(CompletableFuture.anyOf(answer, end), within);
        return taken(answer);
    }

    /** The same for a last word. */
    <B> Optional<HttpResponse<B>> lastAnswer(CompletableFuture<HttpResponse<B>> answer) {
        await(answer, LAST_WORD);
        return taken(answer);
    }

    /** Has the reporter say its last word. */
    void end() {
        end.complete(null);
    }

    /** Waits for the last word. */
    void join() {
        try {
            thread.join(LAST_WORD.toMillis());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static <B> Optional<HttpResponse<B>> taken(CompletableFuture<HttpResponse<B>> answer) {
        if (answer.isDone() && !answer.isCompletedExceptionally()) {
            return Optional.of(answer.join());
        }
        answer.cancel(true);
        return Optional.empty();
    }

    /** Whether it ended, in whatever way, before the time was over. */
    private static boolean await(CompletableFuture<?> event, Duration most) {
        try {
            event.get(most.toNanos(), NANOSECONDS);
            return true;
        } catch (ExecutionException failed) {
            return true;
        } catch (TimeoutException later) {
            return false;
        } catch (InterruptedException stop) {
            // Nobody interrupts this thread but somebody who ends all of them.
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
