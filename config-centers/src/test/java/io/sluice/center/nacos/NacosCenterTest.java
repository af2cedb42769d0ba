package io.sluice.center.nacos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.sluice.center.CenterException;
import io.sluice.center.CenterRuleSource;
import io.sluice.center.ConfigCenter;
import io.sluice.center.RealServer;
import io.sluice.center.Refusal;
import io.sluice.center.Rules;
import io.sluice.center.ServedCenterContract;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleState;
import io.sluice.testing.NacosServer;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NacosCenterTest extends ServedCenterContract {
    /** So many threads one client has. */
    private static final int ONE_CLIENT = 6;

    @TempDir
    static Path home;

    @TempDir
    static Path clientFiles;

    @Override
    protected RealServer startCenter() throws IOException {
        return RealNacos.start(home, clientFiles);
    }

    private NacosServer nacos() {
        return ((RealNacos) real).nacos();
    }

    private ConfigCenter connect() {
        return open(real.connect(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"why\":\"第一 ✓\\n\"}\r\n\t ", " \n{}"})
    void whatWasWrittenIsReadBackToTheByte(String text) {
        writer.write(text.getBytes(UTF_8), WITHIN);

        assertThat(writer.read(WITHIN)).contains(text.getBytes(UTF_8));
    }

    @Test
    void whoWatchesIsCalledForAChangeAndForADeletion() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        connect().watch(calls::incrementAndGet);
        await().until(() -> calls.get() > 0);

        int beforeChange = calls.get();
        put(R7);
        await().until(() -> calls.get() > beforeChange);
        int beforeDeletion = calls.get();
        real.delete(name);

        await().until(() -> calls.get() > beforeDeletion);
    }

    @Test
    void whoStoppedWatchingIsNotCalledAndOthersAre() {
        AtomicInteger stopped = new AtomicInteger();
        AtomicInteger watching = new AtomicInteger();
        ConfigCenter center = connect();
        ConfigCenter.Watch watch = center.watch(stopped::incrementAndGet);
        center.watch(watching::incrementAndGet);
        await().until(() -> watching.get() > 0);
        watch.close();
        int before = watching.get();
        int last = stopped.get();

        put(R7);

        await().until(() -> watching.get() > before);
        assertThat(stopped).hasValue(last);
    }

    @Test
    @Requirement("F1")
    void whatTheClientKeptInAFileIsNoAnswerOfTheCentre() throws IOException {
        put(R7);
        ConfigCenter center = connect();
        assertThat(center.read(WITHIN)).isPresent();
        assertThat(fileOfTheClient(name)).as("what Nacos's client kept").isNotEmptyFile();

        try (ConfigCenter away = server().connect(1, name)) {
            assertThatExceptionOfType(CenterException.class)
                    .isThrownBy(() -> away.read(Duration.ofSeconds(2)))
                    .matches(unanswered -> !unanswered.isDenied());
        }
    }

    @Test
    @Requirement("F12")
    void whatSomebodyLaidBesideTheClientIsNoAnswerOfTheCentre() throws IOException {
        put(R7);
        Path kept = fileOfTheClient(name);
        Path server = clientFiles.relativize(kept).getName(2);
        Path laid = clientFiles.resolve("nacos/config").resolve(server).resolve("data/config-data-tenant/shop/sluice");
        Files.createDirectories(laid);
        Files.writeString(laid.resolve(name), "forged");

        assertThat(connect().read(WITHIN)).contains(Rules.envelope(R7));
    }

    private static Path fileOfTheClient(String dataId) throws IOException {
        try (Stream<Path> files = Files.walk(clientFiles)) {
            return files.filter(file -> file.getFileName().toString().equals(dataId))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    @Requirement({"F11", "T22"})
    void whoMayNotReadKeepsItsRulesAndWhoMayNotWriteIsRefused() throws IOException {
        put(R7);
        CenterRuleSource source = follow(impatient());
        await().until(() -> source.current().equals(R7));

        nacos().refuse(name, true);

        await().until(() -> source.refused(Refusal.DENIED) > 0 && source.state() == RuleState.STALE);
        assertThat(source.current()).isEqualTo(R7);
        assertThatExceptionOfType(CenterException.class)
                .isThrownBy(() -> put(R8))
                .matches(CenterException::isDenied)
                .withMessageContaining(name);
        nacos().refuse(name, false);
        await().until(() -> source.state() == RuleState.FRESH);
        assertThat(source.current()).isEqualTo(R7);
    }

    @Test
    void afterCloseNothingOfACentreRuns() {
        Set<Thread> before = threads();
        for (int i = 0; i < 5; i++) {
            try (ConfigCenter center = real.connect(name)) {
                center.watch(() -> {});
                center.read(WITHIN);
            }
        }
        try (ConfigCenter nobody = server().connect(1, name)) {
            nobody.watch(() -> {});
        }
        writer.close();

        // Nacos's own threads may open a connection just when their client is shut down, and leave it behind: once, not
        // each time.
        await().untilAsserted(() -> {
            Set<Thread> left = threads();
            left.removeAll(before);
            assertThat(left).hasSizeLessThanOrEqualTo(ONE_CLIENT);
        });
    }

    /** But what Nacos's client has once in a process, however often it is opened and closed. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("nacos"))
                .filter(thread -> !thread.getName().startsWith("nacos.publisher-")
                        && !thread.getName().contains("notify.block.monitor")
                        && !thread.getName().contains("client.logging"))
                .collect(Collectors.toSet());
    }

    @Test
    void askingOneThatIsClosedIsNoAnswer() {
        ConfigCenter center = connect();
        center.close();

        assertThatExceptionOfType(CenterException.class).isThrownBy(() -> center.read(WITHIN));
        center.watch(() -> {}).close();
        center.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:8848/rules", "127.0.0.1:8848/a/b/c/d"})
    void anAddressHasAGroupAndADataId(String address) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> NacosCenter.of(address))
                .withMessageContaining("must be like host:port/group/dataId or host:port/namespace/group/dataId");
    }

    @Test
    void namespacesAreApart() {
        put(R7);

        assertThat(open(NacosCenter.of("127.0.0.1:" + server().port() + "/shop/sluice/" + name))
                        .read(WITHIN))
                .isPresent();
        assertThat(open(NacosCenter.of("127.0.0.1:" + server().port() + "/staging/sluice/" + name))
                        .read(WITHIN))
                .isEmpty();
    }
}
