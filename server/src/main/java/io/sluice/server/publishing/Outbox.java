package io.sluice.server.publishing;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.sluice.center.CenterException;
import io.sluice.center.ConfigCenter;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.wire.RuleEnvelope;
import io.sluice.wire.RuleSigner;
import io.sluice.wire.remote.Backoff;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the document of one centre at what is published. It does not send changes, it compares: whatever somebody did to the
 * document, and whatever was missed while the centre was away, the next look puts right. What a newer server of ours wrote is
 * left alone. Works on a thread of its own, so that a centre that hangs delays nobody.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what runs on the loop logs its own failures
final class Outbox implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Outbox.class);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(10);
    private static final Duration FIRST_RETRY = Duration.ofMillis(200);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);

    private final String target;
    private final ConfigCenter center;
    private final RuleSource published;
    private final @Nullable RuleSigner signer;
    private final Duration lookEvery;
    private final Backoff backoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
    private final ScheduledThreadPoolExecutor loop;
    private final AtomicBoolean isLookDue = new AtomicBoolean();
    private final RuleSource.Subscription subscription;

    // Written by the loop's thread only.
    private @Nullable Future<?> nextLook;
    private byte @Nullable [] lastWritten;
    private volatile @Nullable RuleSet written;
    private volatile @Nullable String lastError;

    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong repairs = new AtomicLong();
    private volatile boolean isBehind = true;
    private volatile long behindSince = System.nanoTime();

    Outbox(String target, ConfigCenter center, RuleSource published, @Nullable RuleSigner signer) {
        this(target, center, published, signer, LOOK_EVERY);
    }

    Outbox(String target, ConfigCenter center, RuleSource published, @Nullable RuleSigner signer, Duration lookEvery) {
        this.target = target;
        this.center = center;
        this.published = published;
        this.signer = signer;
        this.lookEvery = lookEvery;
        this.loop = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "sluice-publish");
            thread.setDaemon(true);
            return thread;
        });
        loop.setRemoveOnCancelPolicy(true);
        this.subscription = published.subscribe(rules -> lookSoon());
    }

    TargetView view() {
        RuleSet newest = published.current();
        RuleSet there = written;
        return new TargetView(
                target,
                revision(newest),
                there == null ? null : revision(there),
                newest.equals(there) ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - behindSince),
                writes.get(),
                repairs.get(),
                lastError);
    }

    @Override
    public void close() {
        subscription.close();
        loop.shutdownNow();
        center.close();
    }

    /** Called by whoever publishes, who must not wait. Many changes while one look waits are one look. */
    private void lookSoon() {
        if (!isBehind) {
            behindSince = System.nanoTime();
            isBehind = true;
        }
        if (isLookDue.compareAndSet(false, true)) {
            try {
                loop.execute(this::look);
            } catch (RejectedExecutionException closed) {
                // The server stops; whoever is next writes what is saved.
            }
        }
    }

    private void look() {
        isLookDue.set(false);
        String error;
        try {
            error = drive(published.current());
        } catch (CenterException failure) {
            error = String.valueOf(failure.getMessage());
        } catch (RuntimeException unforeseen) {
            // Of a client library. Whatever it was, the next look must still come.
            error = String.valueOf(unforeseen);
        }
        note(error);
        lookAgainIn(error == null ? Backoff.jittered(lookEvery) : backoff.next());
    }

    /** Compares and writes; answers what is in the way, null for nothing. */
    private @Nullable String drive(RuleSet newest) {
        byte[] wanted = envelope(newest);
        byte[] held = center.read(ANSWER_WITHIN).orElse(null);
        if (!Arrays.equals(held, wanted)) {
            RuleEnvelope there = held == null ? null : ours(held);
            if (there != null && isNewer(there, newest)) {
                return "holds " + there.epoch() + "." + there.revision() + ", newer than " + revision(newest)
                        + " here; is another server publishing there, or was a backup restored without raising the epoch?";
            }
            if (!center.writeOver(held, wanted, ANSWER_WITHIN)) {
                return "somebody else wrote at the same time";
            }
            writes.incrementAndGet();
            if (lastWritten != null && !Arrays.equals(held, lastWritten)) {
                repairs.incrementAndGet();
                log.warn("what was in {} was not what this server wrote; it is written again", target);
            }
        }
        lastWritten = wanted;
        written = newest;
        isBehind = !newest.equals(published.current());
        return null;
    }

    private byte[] envelope(RuleSet rules) {
        RuleEnvelope plain = RuleEnvelope.of(rules);
        return (signer == null ? plain : plain.signed(signer)).write();
    }

    /** What is held, if a server of ours can have written it: nothing else may keep us from writing. */
    private @Nullable RuleEnvelope ours(byte[] held) {
        try {
            RuleEnvelope envelope = RuleEnvelope.read(held);
            boolean isSigned = signer == null || envelope.isSignedFor(signer);
            return isSigned && envelope.isIntact() ? envelope : null;
        } catch (RefusedException garbage) {
            return null;
        }
    }

    private static boolean isNewer(RuleEnvelope held, RuleSet newest) {
        return held.epoch() > newest.epoch() || (held.epoch() == newest.epoch() && held.revision() > newest.revision());
    }

    private void note(@Nullable String error) {
        if (error == null) {
            backoff.reset();
            if (lastError != null) {
                log.info("{} has the newest rules again", target);
            }
        } else if (lastError == null) {
            log.error("{} does not get the newest rules: {}", target, error);
        }
        lastError = error;
    }

    private void lookAgainIn(Duration pause) {
        if (nextLook != null) {
            nextLook.cancel(false);
        }
        try {
            nextLook = loop.schedule(this::look, pause.toNanos(), NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // The server stops.
        }
    }

    private static String revision(RuleSet rules) {
        return rules.epoch() + "." + rules.revision();
    }
}
