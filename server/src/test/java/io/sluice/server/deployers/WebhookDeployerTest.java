package io.sluice.server.deployers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.channel.Deployer.Order;
import io.sluice.core.channel.Deployer.Progress;
import io.sluice.core.problem.RefusedException;
import io.sluice.server.outbound.Outbound;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Against a real HTTP server at the other end. */
class WebhookDeployerTest {
    private static final byte[] SECRET = "a secret of the test".getBytes(StandardCharsets.UTF_8);
    private static final Order ORDER = Orders.of("trade-1/deploy/blue/1", Orders.blue("order", "v2", 3));

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final Receiver receiver = new Receiver();

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        receiver.close();
        threads.shutdownNow();
    }

    private WebhookDeployer deployer(URI url) {
        return new WebhookDeployer(
                url,
                new Signature(SECRET),
                new Outbound(Duration.ofSeconds(1), WebhookDeployer.LARGEST, threads),
                Duration.ofMillis(50),
                SettableClock.create(),
                System::nanoTime);
    }

    @Test
    @Requirement("C6")
    void anOrderIsPostedSignedUntilTheReceiverSaysThatItIsDone() {
        WebhookDeployer deployer = deployer(receiver.url("/deploy"));
        receiver.replies(Receiver.answer(200, "{\"state\":\"running\",\"note\":\"2 of 3\",\"new\":1}"));
        await().until(() -> deployer.deploy(ORDER), new Progress.Running("2 of 3")::equals);
        receiver.replies(Receiver.answer(201, "{\"state\":\"done\"}"));

        assertThat(Orders.awaitEnd(deployer, ORDER)).isEqualTo(new Progress.Done());

        Receiver.Got got = receiver.got().get(0);
        assertThat(got.method() + " " + got.path()).isEqualTo("POST /deploy");
        assertThat(got.body())
                .isEqualTo(
                        "{\"key\":\"trade-1/deploy/blue/1\",\"release\":\"trade-1\",\"channel\":\"trade\","
                                + "\"targets\":[{\"service\":\"order\",\"color\":\"blue\",\"version\":\"v2\",\"instances\":3}]}");
        assertThat(got.header("Content-type")).isEqualTo("application/json");
        assertThat(got.header("X-sluice-timestamp")).isEqualTo("1790812800");
        assertThat(receiver.got().stream()
                        .map(each -> each.header("Idempotency-key"))
                        .collect(Collectors.toSet()))
                .isEqualTo(Set.of("trade-1/deploy/blue/1"));
    }

    @Test
    void anEndIsNotAskedAboutAgain() {
        WebhookDeployer deployer = deployer(receiver.url("/"));
        receiver.replies(Receiver.answer(200, "{\"state\":\"failed\",\"note\":\"no image\\u0007 v2\"}"));
        Orders.awaitEnd(deployer, ORDER);
        int asked = receiver.got().size();

        assertThat(deployer.deploy(ORDER)).isEqualTo(new Progress.Failed("no image\\u0007 v2"));
        assertThat(deployer.deploy(ORDER)).isEqualTo(new Progress.Failed("no image\\u0007 v2"));
        assertThat(receiver.got()).hasSize(asked);
    }

    static Stream<Arguments> whatIsNoEnd() {
        return Stream.of(
                Arguments.of(Receiver.answer(500, "{\"state\":\"done\"}"), "webhook answered 500"),
                Arguments.of(Receiver.answer(401, ""), "webhook answered 401"),
                Arguments.of(
                        Receiver.redirect(URI.create("http://127.0.0.1:1/")),
                        "webhook answered 302, and redirects are not followed"),
                Arguments.of(
                        Receiver.answer(200, "ok"),
                        "webhook answered what is none: document was no JSON, at line 1, column 1, but must be one JSON"
                                + " object, each key once, and nothing after it"),
                Arguments.of(
                        Receiver.answer(200, "{\"state\":\"finished\"}"),
                        "webhook answered what is none: state was finished, but must be one of running, done, failed"),
                Arguments.of(
                        Receiver.answer(204, ""),
                        "webhook answered what is none: document was empty, but must be a JSON object"),
                Arguments.of(Receiver.endless(), "webhook: an answer of more than 64 KiB"));
    }

    @ParameterizedTest
    @MethodSource("whatIsNoEnd")
    @Requirement({"C6", "F24"})
    void whateverElseComesIsNotedAndAskedAgain(Receiver.Reply reply, String note) {
        WebhookDeployer deployer = deployer(receiver.url("/"));
        receiver.replies(reply);
        await().untilAsserted(() -> assertThat(deployer.deploy(ORDER)).isEqualTo(new Progress.Running(note)));
        receiver.replies(Receiver.answer(200, "{\"state\":\"done\"}"));

        assertThat(Orders.awaitEnd(deployer, ORDER)).isEqualTo(new Progress.Done());
    }

    @Test
    void aReceiverThatHangsIsGivenUpAndAskedAgain() {
        WebhookDeployer deployer = deployer(receiver.url("/"));
        receiver.replies(receiver.hang());
        await().until(() -> deployer.deploy(ORDER), new Progress.Running("webhook: no answer within 1 s")::equals);
        receiver.replies(Receiver.answer(200, "{\"state\":\"done\"}"));

        assertThat(Orders.awaitEnd(deployer, ORDER)).isEqualTo(new Progress.Done());
    }

    @Test
    void nobodyThereIsNoEndEither() {
        URI gone = receiver.url("/");
        receiver.close();
        WebhookDeployer deployer = deployer(gone);

        await().until(() -> deployer.deploy(ORDER), new Progress.Running("webhook: no connection")::equals);
    }

    /** As docs/deployers.md shows it. */
    @Test
    @NeedsProgram(value = "/usr/bin/openssl", install = "apt-get install openssl")
    void opensslComesToTheSameSignature() throws Exception {
        Path body = Files.writeString(directory.resolve("signed"), "1790812800.{\"key\":\"k\"}");
        Process openssl = new ProcessBuilder(
                        "/usr/bin/openssl",
                        "dgst",
                        "-sha256",
                        "-hmac",
                        new String(SECRET, StandardCharsets.UTF_8),
                        body.toString())
                .start();

        String theirs = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .replaceFirst(".*= ", "");

        assertThat(new Signature(SECRET).of("1790812800", "{\"key\":\"k\"}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("sha256=" + theirs);
    }

    @Test
    void aSecretComesFromAFileAndIsNotShown() throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "a secret of the test\n");

        assertThat(Signature.from(file).of("1", new byte[0])).isEqualTo(new Signature(SECRET).of("1", new byte[0]));
        assertThat(Signature.from(file).toString()).doesNotContain("secret of");
        for (String bad : List.of("", "short\n", "x".repeat(4097))) {
            Files.writeString(file, bad);
            assertThatThrownBy(() -> Signature.from(file))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("--webhook-secret-file");
        }
    }
}
