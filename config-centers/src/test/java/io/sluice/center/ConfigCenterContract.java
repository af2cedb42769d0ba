package io.sluice.center;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleState;
import io.sluice.testing.Line;
import io.sluice.testing.Requirement;
import io.sluice.wire.RuleEnvelope;
import io.sluice.wire.RuleSigner;
import io.sluice.wire.RuleVerifier;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every config centre must do, against its real server. */
@Requirement({"F9", "F10"})
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ConfigCenterContract {
    /** Long enough for what must be answered: a client's first question brings its connection with it. */
    protected static final Duration WITHIN = Duration.ofSeconds(30);

    protected static final RuleSet R7 = Rules.at(7, 10);
    protected static final RuleSet R8 = Rules.at(8, 25);
    protected static final RuleSet R9 = Rules.at(9, 50);
    private static final Duration NEVER = Duration.ofHours(1);

    private final AtomicInteger names = new AtomicInteger();
    private final List<AutoCloseable> opened = new ArrayList<>();

    protected RealCenter real;

    /** The document of the test that runs. */
    protected String name;

    /** Writes beside what is tested. */
    protected ConfigCenter writer;

    @TempDir
    Path temp;

    /** Starts the real server, ready to be used. */
    protected abstract RealCenter startCenter() throws Exception;

    @BeforeAll
    void startReal() throws Exception {
        real = startCenter();
    }

    @AfterAll
    void stopReal() throws Exception {
        real.close();
    }

    @BeforeEach
    void openWriter() {
        name = "rules-" + names.incrementAndGet();
        writer = open(real.connect(real.port(), name));
    }

    @AfterEach
    void closeOpened() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        opened.clear();
    }

    @Test
    void anAbsentAndAnEmptyDocumentAreNone() throws Exception {
        assertThat(writer.read(WITHIN)).isEmpty();

        put(R7);
        assertThat(writer.read(WITHIN)).contains(Rules.envelope(R7));

        real.empty(name);
        assertThat(writer.read(WITHIN)).isEmpty();
    }

    @Test
    void rulesAreThereWhenStartReturns() {
        put(R7);

        CenterRuleSource source = follow(settings().rereadEvery(NEVER).startWithin(WITHIN));

        assertThat(source.current()).isEqualTo(R7);
        assertThat(source.state()).isEqualTo(RuleState.FRESH);
    }

    @Test
    @Requirement("D6")
    void changesArriveByPush() {
        put(R7);
        CenterRuleSource source = follow(settings().rereadEvery(NEVER));
        List<Long> heard = new CopyOnWriteArrayList<>();
        source.subscribe(rules -> heard.add(rules.revision()));
        warmUp(source);

        for (int revision = 20; revision < 30; revision++) {
            RuleSet next = Rules.at(revision, 10);
            put(next);
            await().until(() -> source.current().equals(next));
        }

        // Who listens is told after the source has them.
        await().until(() -> heard.contains(29L));
        assertThat(heard).isSorted().doesNotHaveDuplicates().endsWith(27L, 28L, 29L);
    }

    @Test
    void whatIsWrittenForTheFirstTimeArrivesByPush() {
        CenterRuleSource source = follow(settings().rereadEvery(NEVER));
        assertThat(source.state()).isEqualTo(RuleState.NO_RULES);
        await().until(() -> source.reads() >= 2);

        put(R7);
        warmUp(source);

        assertThat(source.current().isNewerThan(RuleSet.empty())).isTrue();
    }

    @Test
    void swallowedEventsAreHealedByTheReread() {
        put(R7);
        ConfigCenter deaf = new Deaf(real.connect(real.port(), name));
        CenterRuleSource source = follow(CenterRuleSource.builder(deaf));
        await().until(() -> source.current().equals(R7));

        put(R8);

        await().atMost(Duration.ofSeconds(12)).until(() -> source.current().equals(R8));
    }

    @Test
    @Requirement("F1")
    void aCutLineLeavesRulesAsTheyAreUntilItIsMended() {
        try (Line line = Line.to(real.port())) {
            put(R7);
            CenterRuleSource source = follow(impatient(line.port()));
            warmUp(source);

            line.cut();
            put(R9);
            RuleSet before = source.current();
            await().until(() -> source.state() == RuleState.STALE);
            assertThat(source.current()).isEqualTo(before);
            await().until(() -> source.failedReads() > 0);

            RuleSet newest = Rules.at(2_000, 50);
            put(newest);
            line.mend();
            await().until(() -> source.current().equals(newest) && source.state() == RuleState.FRESH);
        }
    }

    /** No end of the connection is ever told: what F8 asks of our own stream. */
    @Test
    @Requirement("F8")
    void aLineThatFallsSilentIsNoticedAndMended() {
        try (Line line = Line.to(real.port())) {
            put(R7);
            CenterRuleSource source = follow(CenterRuleSource.builder(real.connect(line.port(), name)));
            warmUp(source);

            line.silence();
            await().until(() -> source.state() == RuleState.STALE);

            RuleSet newest = Rules.at(2_000, 50);
            put(newest);
            line.mend();
            await().until(() -> source.current().equals(newest));
        }
    }

    @Test
    @Requirement("F1")
    void aRestartOfTheCentreIsSurvived() throws Exception {
        put(R7);
        CenterRuleSource source = follow(impatient(real.port()));
        warmUp(source);
        RuleSet before = source.current();

        real.kill();
        try {
            await().until(() -> source.state() == RuleState.STALE);
            assertThat(source.current()).isEqualTo(before);
        } finally {
            real.restart();
        }

        await().until(() -> source.state() == RuleState.FRESH);
        RuleSet newest = Rules.at(2_000, 50);
        await().ignoreExceptions().until(() -> {
            put(newest);
            return true;
        });
        await().until(() -> source.current().equals(newest));
    }

    @Test
    @Requirement({"F2", "F4"})
    void startsWithoutTheCentre() {
        put(R7);
        try (Line line = Line.to(real.port())) {
            line.cut();
            CenterRuleSource first = follow(impatient(line.port()).lastGood(temp, "order"));
            assertThat(first.state()).isEqualTo(RuleState.NO_RULES);

            line.mend();
            await().until(() -> first.current().equals(R7));
            first.close();

            line.cut();
            long began = System.nanoTime();
            CenterRuleSource second = follow(impatient(line.port()).lastGood(temp, "order"));
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(4));
            assertThat(second.state()).isEqualTo(RuleState.LAST_KNOWN_GOOD);
            assertThat(second.current()).isEqualTo(R7);
        }
    }

    /** What somebody may leave in a centre, by mistake or on purpose. */
    enum Spoilt {
        DELETED(Refusal.ABSENT, null),
        EMPTY(Refusal.ABSENT, ""),
        BRACES(Refusal.MALFORMED, "{}"),
        GARBAGE(Refusal.MALFORMED, "rules: none"),
        RULES_WITHOUT_ENVELOPE(Refusal.MALFORMED, "{\"format\":1,\"epoch\":1,\"revision\":99,\"releases\":[]}"),
        NO_RULES_WITHIN(Refusal.MALFORMED, envelope(99, "{\"format\":1}")),
        ANOTHER_REVISION_WITHIN(
                Refusal.MALFORMED, envelope(98, "{\"format\":1,\"epoch\":1,\"revision\":99,\"releases\":[]}")),
        CHECKSUM(
                Refusal.CHECKSUM,
                new String(Rules.envelope(R9), UTF_8).replace("\\\"percent\\\":50", "\\\"percent\\\":99"));

        private final Refusal kind;
        private final String document;

        Spoilt(Refusal kind, String document) {
            this.kind = kind;
            this.document = document;
        }

        private static String envelope(long revision, String document) {
            return "{\"format\":1,\"epoch\":1,\"revision\":" + revision + ",\"sha256\":\"" + sha256(document)
                    + "\",\"document\":\"" + document.replace("\"", "\\\"") + "\"}";
        }

        private static String sha256(String document) {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(document.getBytes(UTF_8)));
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @Requirement("F11")
    void whatIsNoRuleLeavesRulesAsTheyAre(Spoilt spoilt) throws Exception {
        put(R7);
        CenterRuleSource source = follow(impatient(real.port()));
        await().until(() -> source.current().equals(R7));

        if (spoilt.document == null) {
            real.delete(name);
        } else if (spoilt.document.isEmpty()) {
            real.empty(name);
        } else {
            writer.write(spoilt.document.getBytes(UTF_8), WITHIN);
        }

        await().until(() -> source.refused(spoilt.kind) > 0);
        await().until(() -> source.state() == RuleState.STALE);
        assertThat(source.current()).isEqualTo(R7);
        assertThat(source.lastRefusal()).isNotEmpty();
        put(R8);
        await().until(() -> source.current().equals(R8) && source.state() == RuleState.FRESH);
    }

    @Test
    @Requirement("F11")
    void onlyANewerDocumentWithoutTheReleaseEndsIt() {
        put(R7);
        CenterRuleSource source = follow(settings());
        RuleSet without = RuleSet.of(1, 8, List.of());

        put(without);

        await().until(() -> source.current().equals(without));
    }

    @Test
    @Requirement("F5")
    void anOlderOrAnotherDocumentOfTheSameRevisionIsIgnored() {
        put(R8);
        CenterRuleSource source = follow(impatient(real.port()));
        await().until(() -> source.current().equals(R8));

        put(R7);
        await().until(() -> source.olderDocuments() > 0);
        assertThat(source.current()).isEqualTo(R8);

        put(Rules.at(8, 99));
        await().until(() -> source.conflicts() > 0);
        assertThat(source.current()).isEqualTo(R8);
    }

    @Test
    @Requirement({"F12"})
    void aForgedDocumentIsRefused() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        KeyPair foreign = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        RuleSigner signer = RuleSigner.of(keys.getPrivate());
        put(RuleEnvelope.of(R7).signed(signer));
        CenterRuleSource source = follow(impatient(real.port()).verifier(RuleVerifier.of(List.of(keys.getPublic()))));
        await().until(() -> source.current().equals(R7));

        put(RuleEnvelope.of(R9));
        await().until(() ->
                source.refused(Refusal.SIGNATURE) > 0 && !source.lastRefusal().isEmpty());
        assertThat(source.lastRefusal())
                .singleElement()
                .hasToString("signature was missing, but must be by a key that is trusted here");
        put(RuleEnvelope.of(R9).signed(RuleSigner.of(foreign.getPrivate())));
        await().until(() -> source.lastRefusal().get(0).was().equals("by none of the keys"));
        assertThat(source.current()).isEqualTo(R7);

        put(RuleEnvelope.of(R8).signed(signer));
        await().until(() -> source.current().equals(R8));
    }

    @Test
    void nothingIsWrittenOverWhatTheWriterHasNotSeen() {
        byte[] one = Rules.envelope(R7);
        byte[] two = Rules.envelope(R8);
        byte[] three = Rules.envelope(R9);

        assertThat(writer.writeOver(null, one, WITHIN)).isTrue();
        assertThat(writer.writeOver(null, two, WITHIN)).isFalse();
        assertThat(writer.writeOver(two, three, WITHIN)).isFalse();
        assertThat(writer.read(WITHIN)).contains(one);
        assertThat(writer.writeOver(one, two, WITHIN)).isTrue();
        assertThat(writer.read(WITHIN)).contains(two);
    }

    @Test
    void anEmptyDocumentMayBeWrittenOver() throws Exception {
        put(R7);
        real.empty(name);

        assertThat(writer.writeOver(null, Rules.envelope(R8), WITHIN)).isTrue();
        assertThat(writer.read(WITHIN)).contains(Rules.envelope(R8));
    }

    @Test
    void aCentreThatIsNotThereIsNoAnswerInTheTimeGiven() {
        try (Line line = Line.to(real.port())) {
            line.silence();
            ConfigCenter away = open(real.connect(line.port(), name));
            long began = System.nanoTime();

            assertThatThrownBy(() -> away.read(Duration.ofSeconds(1)))
                    .isInstanceOfSatisfying(
                            CenterException.class,
                            failure -> assertThat(failure.isDenied()).isFalse());
            assertThatThrownBy(() -> away.write(new byte[] {1}, Duration.ofSeconds(1)))
                    .isInstanceOf(CenterException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(4));
        }
    }

    protected void put(RuleSet rules) {
        put(RuleEnvelope.of(rules));
    }

    protected void put(RuleEnvelope envelope) {
        writer.write(envelope.write(), WITHIN);
    }

    protected CenterRuleSource.Builder settings() {
        return CenterRuleSource.builder(real.connect(real.port(), name));
    }

    /** Reads often and soon holds for stale what is not confirmed, so that tests need not wait. */
    protected CenterRuleSource.Builder impatient(int port) {
        return CenterRuleSource.builder(real.connect(port, name))
                .rereadEvery(Duration.ofMillis(500))
                .staleAfter(Duration.ofSeconds(2));
    }

    protected CenterRuleSource follow(CenterRuleSource.Builder settings) {
        return open(settings.start());
    }

    protected <T extends AutoCloseable> T open(T closeable) {
        opened.add(0, closeable);
        return closeable;
    }

    /** Returns once a push got through: centres begin to watch a while after they say so. */
    protected void warmUp(CenterRuleSource source) {
        long[] revision = {10};
        await().until(() -> {
            RuleSet next = Rules.at(revision[0]++, 10);
            put(next);
            long deadline = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            while (System.nanoTime() < deadline && !source.current().equals(next)) {
                Thread.onSpinWait();
            }
            return source.current().equals(next);
        });
    }

    /** A centre that swallows every event. */
    private record Deaf(ConfigCenter center) implements ConfigCenter {
        @Override
        public Optional<byte[]> read(Duration within) {
            return center.read(within);
        }

        @Override
        public Watch watch(Runnable mayHaveChanged) {
            return () -> {};
        }

        @Override
        public void write(byte[] document, Duration within) {
            center.write(document, within);
        }

        @Override
        public void close() {
            center.close();
        }
    }
}
