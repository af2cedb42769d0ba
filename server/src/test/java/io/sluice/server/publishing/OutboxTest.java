package io.sluice.server.publishing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.center.CenterException;
import io.sluice.center.ConfigCenter;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.Requirement;
import io.sluice.wire.RuleEnvelope;
import io.sluice.wire.RuleSigner;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is written when; that it arrives in real centres is shown beside this. */
@Timeout(300)
class OutboxTest {
    private static final Duration SOON = Duration.ofMillis(50);

    private final InMemoryRuleSource published = new InMemoryRuleSource();
    private final Center center = new Center();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void whatIsPublishedIsWritten() {
        publish(1);
        Outbox outbox = open(null);

        publish(2);

        await().until(() -> center.holds(rules(2)));
        await().until(() -> "1.2".equals(outbox.view().written()));
        assertThat(outbox.view().lagMillis()).isZero();
        assertThat(outbox.view().lastError()).isNull();
    }

    @Test
    @Requirement("F11")
    void whatSomebodyDeletedOrSpoiltIsWrittenAgain() {
        publish(1);
        Outbox outbox = open(null);
        await().until(() -> center.holds(rules(1)));

        center.document.set(null);
        await().until(() -> center.holds(rules(1)));
        center.document.set("garbage".getBytes(UTF_8));
        await().until(() -> center.holds(rules(1)));

        await().until(() -> outbox.view().repairs() == 2);
    }

    @Test
    @Requirement("F12")
    void aForgedNewerDocumentIsWrittenOverWhenThereIsAKey() throws Exception {
        RuleSigner signer = RuleSigner.of(
                KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate());
        publish(1);
        open(signer);
        await().until(() -> center.holds(rules(1)));

        center.document.set(RuleEnvelope.of(rules(99)).write());

        await().until(() -> center.holds(rules(1)));
        assertThat(RuleEnvelope.read(center.document.get()).isSignedFor(signer)).isTrue();
    }

    @Test
    @Requirement("F5")
    void whatANewerServerWroteIsLeftAlone() {
        center.document.set(RuleEnvelope.of(rules(9)).write());
        publish(3);

        Outbox outbox = open(null);

        await().until(() -> outbox.view().lastError() != null);
        assertThat(outbox.view().lastError()).startsWith("holds 1.9, newer than 1.3 here");
        assertThat(center.holds(rules(9))).isTrue();
        publish(10);
        await().until(() -> center.holds(rules(10)));
    }

    /** Each sees what the other wrote before it writes; whoever is newer stays. */
    @Test
    @Requirement("F5")
    void ofTwoServersTheNewerStays() {
        InMemoryRuleSource other = new InMemoryRuleSource();
        other.offer(rules(1));
        publish(1);
        open(null);
        opened.add(new Outbox("other", center, other, null, SOON));

        for (int revision = 2; revision <= 200; revision++) {
            (revision % 2 == 0 ? published : other).offer(rules(revision));
        }

        await().until(() -> center.holds(rules(200)));
        assertThat(center.hasGoneBack).isFalse();
    }

    @Test
    void aCentreThatIsAwayIsTriedAgainUntilItHasTheNewest() {
        center.isAway = true;
        publish(1);
        Outbox outbox = open(null);
        await().until(() -> outbox.view().lastError() != null);
        publish(2);
        publish(3);
        assertThat(outbox.view().written()).isNull();
        assertThat(outbox.view().published()).isEqualTo("1.3");
        await().until(() -> outbox.view().lagMillis() > 0);

        center.isAway = false;

        await().until(() -> center.holds(rules(3)));
        await().until(() -> outbox.view().lastError() == null);
    }

    @Test
    @Requirement("F15")
    void aCentreThatHangsHoldsUpNeitherWhoPublishesNorAnotherTarget() {
        CountDownLatch hanging = new CountDownLatch(1);
        Center stuck = new Center();
        stuck.hang = hanging;
        publish(1);
        opened.add(new Outbox("stuck", stuck, published, null, SOON));
        open(null);

        long began = System.nanoTime();
        for (int revision = 2; revision <= 50; revision++) {
            publish(revision);
        }

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
        await().until(() -> center.holds(rules(50)));
        hanging.countDown();
    }

    private Outbox open(@Nullable RuleSigner signer) {
        Outbox outbox = new Outbox("centre", center, published, signer, SOON);
        opened.add(outbox);
        return outbox;
    }

    private void publish(int revision) {
        published.offer(rules(revision));
    }

    private static RuleSet rules(int revision) {
        return RuleSet.of(1, revision, List.of());
    }

    /** Compares and writes in one step, and can be away or hang. */
    private static final class Center implements ConfigCenter {
        private final AtomicReference<byte @Nullable []> document = new AtomicReference<>();
        private volatile boolean isAway;
        private volatile boolean hasGoneBack;
        private volatile @Nullable CountDownLatch hang;

        boolean holds(RuleSet rules) {
            byte[] held = document.get();
            try {
                return held != null && RuleEnvelope.read(held).rules().equals(rules);
            } catch (RefusedException garbage) {
                return false;
            }
        }

        @Override
        public Optional<byte[]> read(Duration within) {
            CountDownLatch hanging = hang;
            if (hanging != null) {
                try {
                    hanging.await();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            }
            if (isAway) {
                throw CenterException.unanswered("away", null);
            }
            return Optional.ofNullable(document.get());
        }

        @Override
        public Watch watch(Runnable mayHaveChanged) {
            return () -> {};
        }

        @Override
        public void write(byte[] next, Duration within) {
            document.set(next);
        }

        @Override
        public synchronized boolean writeOver(byte @Nullable [] seen, byte[] next, Duration within) {
            byte[] held = document.get();
            if (!Arrays.equals(seen, held)) {
                return false;
            }
            if (held != null
                    && held.length > 10
                    && RuleEnvelope.read(held).revision()
                            > RuleEnvelope.read(next).revision()) {
                hasGoneBack = true;
            }
            document.set(next);
            return true;
        }

        @Override
        public void close() {}
    }
}
