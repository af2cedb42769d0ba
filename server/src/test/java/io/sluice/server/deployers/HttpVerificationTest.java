package io.sluice.server.deployers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.channel.Verification.Answer;
import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Against a real HTTP server at the other end. */
class HttpVerificationTest {
    private final AtomicLong clock = new AtomicLong();
    private final Receiver receiver = new Receiver();
    private final HttpVerification verification = new HttpVerification(
            AllowedPlaces.of(List.of(), InetAddress::getAllByName),
            Duration.ofMillis(50),
            Duration.ofSeconds(3),
            () -> System.nanoTime() + clock.get());

    @AfterEach
    void close() {
        verification.close();
        receiver.close();
    }

    private void awaitAnswer(URI url, boolean ok, String detail) {
        await().pollInterval(Duration.ofMillis(20))
                .until(() -> verification.ask("r", url), new Answer(ok, detail)::equals);
    }

    @Test
    @Requirement("C4")
    void theNewestAnswerCounts() {
        URI url = receiver.url("/health?deep=1");
        receiver.replies(Receiver.answer(503, "{\"status\":\"DOWN\"}"));

        assertThat(verification.ask("r", url)).isEqualTo(new Answer(false, "not asked yet"));
        awaitAnswer(url, false, "the check answered 503");
        receiver.replies(Receiver.answer(204, ""));
        awaitAnswer(url, true, "the check answered 204");
        receiver.replies(Receiver.answer(500, ""));
        awaitAnswer(url, false, "the check answered 500");

        assertThat(receiver.got().get(0).path()).isEqualTo("/health?deep=1");
        assertThat(receiver.got().get(0).header("Host")).isEqualTo("127.0.0.1:" + receiver.port());
    }

    @Test
    void anAnswerFromBeforeAPauseIsForgotten() {
        URI url = receiver.url("/");
        awaitAnswer(url, true, "the check answered 200");

        clock.addAndGet(Duration.ofSeconds(4).toNanos());

        assertThat(verification.ask("r", url)).isEqualTo(new Answer(false, "not asked yet"));
    }

    @Test
    void oneReleaseDoesNotAnswerForAnother() {
        awaitAnswer(receiver.url("/"), true, "the check answered 200");

        assertThat(verification.ask("another", receiver.url("/"))).isEqualTo(new Answer(false, "not asked yet"));
    }

    @Test
    @Requirement("T15")
    void redirectsAreNotFollowed() {
        try (Receiver other = new Receiver()) {
            receiver.replies(Receiver.redirect(other.url("/")));

            awaitAnswer(receiver.url("/"), false, "the check answered 302, and redirects are not followed");
            assertThat(other.got()).isEmpty();
        }
    }

    @Test
    @Requirement("T15")
    void whatIsNotAllowedIsRefusedAtTheStartAndWhenAsked() {
        URI url = URI.create("http://169.254.169.254/latest/meta-data");

        assertThatThrownBy(() -> verification.requireAllowed(url))
                .isInstanceOf(RefusedException.class)
                .hasMessage("check was http://169.254.169.254/latest/meta-data, but must be on this machine's loopback"
                        + " address, or its host and port stand in sluice.checks.allowed");
        awaitAnswer(
                url,
                false,
                "the check must be on this machine's loopback address, or its host and port stand in"
                        + " sluice.checks.allowed");
    }

    @Test
    void nobodyThereIsNotWell() {
        URI url = receiver.url("/");
        receiver.close();

        await().until(() -> verification.ask("r", url).detail().startsWith("the check: Connection refused"));
        assertThat(verification.ask("r", url).ok()).isFalse();
    }

    @Test
    void whatNeverEndsIsGivenUp() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            awaitAnswer(
                    URI.create("http://127.0.0.1:" + mute.getLocalPort() + "/"),
                    false,
                    "the check: no answer within 5 s");
        }
    }

    @Test
    void whatIsNoHttpIsNotWell() throws Exception {
        try (ServerSocket babbling = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread babbler = new Thread(() -> babble(babbling));
            babbler.setDaemon(true);
            babbler.start();

            awaitAnswer(
                    URI.create("http://127.0.0.1:" + babbling.getLocalPort() + "/"),
                    false,
                    "the check: an answer that is no HTTP");
        }
    }

    private static void babble(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                client.getInputStream().read();
                client.getOutputStream().write("x".repeat(2000).getBytes(StandardCharsets.US_ASCII));
            } catch (IOException gone) {
                // Whoever asked had enough.
            }
        }
    }
}
