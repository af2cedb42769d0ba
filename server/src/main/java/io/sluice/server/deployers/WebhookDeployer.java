package io.sluice.server.deployers;

import io.sluice.core.channel.Deployer;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.server.outbound.Outbound;
import io.sluice.wire.DeployAnswer;
import io.sluice.wire.DeployOrderJson;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts orders, signed, to an address of the administrator, and asks again with the same key until the answer is an end.
 * An order is sent at least once: also after a restart, and by another server that leads from now on. Only what the
 * receiver says itself is an end; whatever else comes is noted and asked again.
 */
final class WebhookDeployer implements Deployer {
    private static final Logger log = LoggerFactory.getLogger(WebhookDeployer.class);

    /** How long an answer may take, and how large it may be. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    static final int LARGEST = 64 * 1024;

    private static final int MOST_REMEMBERED = 200;
    private static final int LONGEST_DOUBLING = 4;

    private final URI url;
    private final Signature signature;
    private final Outbound outbound;
    private final Duration every;
    private final InstantSource clock;
    private final LongSupplier nanoClock;

    // Guarded by itself. An order that is forgotten is asked about anew, which the receiver must bear anyway.
    private final Map<String, Asked> orders = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Asked> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** @param every how soon an order is asked about again; after failures up to 16 times that */
    WebhookDeployer(
            URI url,
            Signature signature,
            Outbound outbound,
            Duration every,
            InstantSource clock,
            LongSupplier nanoClock) {
        this.url = url;
        this.signature = signature;
        this.outbound = outbound;
        this.every = every;
        this.clock = clock;
        this.nanoClock = nanoClock;
    }

    @Override
    public Progress deploy(Order order) {
        Asked asked;
        synchronized (orders) {
            asked = orders.computeIfAbsent(order.key(), key -> new Asked());
        }
        if (asked.isDue(nanoClock.getAsLong())) {
            send(order, asked);
        }
        return asked.progress();
    }

    private void send(Order order, Asked asked) {
        byte[] body = DeployOrderJson.write(order);
        String timestamp = String.valueOf(clock.instant().getEpochSecond());
        HttpRequest request = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("Idempotency-Key", order.key())
                .header("X-Sluice-Timestamp", timestamp)
                .header("X-Sluice-Signature", signature.of(timestamp, body))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        outbound.ask(request).whenComplete((response, failure) -> take(order, asked, response, failure));
    }

    private void take(
            Order order, Asked asked, @Nullable HttpResponse<byte[]> response, @Nullable Throwable failure) {
        try {
            if (response == null) {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                refuse(order, asked, "webhook: " + (cause == null ? "no answer" : cause.getMessage()));
            } else if (response.statusCode() / 100 != 2) {
                String redirect = response.statusCode() / 100 == 3 ? ", and redirects are not followed" : "";
                refuse(order, asked, "webhook answered " + response.statusCode() + redirect);
            } else {
                asked.answered(DeployOrderJson.readAnswer(response.body()), nextAt(0));
            }
        } catch (RefusedException garbage) {
            refuse(order, asked, "webhook answered what is none: " + garbage.problems().get(0));
        }
    }

    private void refuse(Order order, Asked asked, String why) {
        if (asked.refused(why, nextAt(asked.failures() + 1))) {
            log.warn("order {}: {}; asked again", order.key(), why);
        }
    }

    private long nextAt(int failures) {
        return nanoClock.getAsLong() + (every.toNanos() << Math.min(LONGEST_DOUBLING, failures));
    }

    /** What is known of one order. */
    private static final class Asked {
        private Progress progress = new Progress.Running("the webhook has not answered yet");
        private boolean isUnderWay;
        private boolean wasAsked;
        private long nextAt;
        private int failures;

        /** Whether it is to be asked about now, by the caller and nobody else. */
        synchronized boolean isDue(long now) {
            boolean isDue = progress instanceof Progress.Running && !isUnderWay && (!wasAsked || now - nextAt >= 0);
            if (isDue) {
                isUnderWay = true;
                wasAsked = true;
            }
            return isDue;
        }

        synchronized Progress progress() {
            return progress;
        }

        synchronized int failures() {
            return failures;
        }

        synchronized void answered(DeployAnswer answer, long next) {
            isUnderWay = false;
            failures = 0;
            nextAt = next;
            String note = Problem.printable(answer.note());
            progress = switch (answer.state()) {
                case RUNNING -> new Progress.Running(note.isEmpty() ? "the webhook is at it" : note);
                case DONE -> new Progress.Done();
                case FAILED -> new Progress.Failed(note.isEmpty() ? "the webhook gave no reason" : note);
            };
        }

        /** @return whether it is another refusal than the one before */
        synchronized boolean refused(String why, long next) {
            isUnderWay = false;
            failures++;
            nextAt = next;
            Progress before = progress;
            progress = new Progress.Running(why);
            return !progress.equals(before);
        }
    }
}
