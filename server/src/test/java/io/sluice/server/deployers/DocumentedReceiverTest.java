package io.sluice.server.deployers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.channel.Deployer.Order;
import io.sluice.core.channel.Deployer.Progress;
import io.sluice.server.outbound.Outbound;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The receiver of docs/deployers.md, as it stands there. */
@NeedsProgram(value = "/usr/bin/python3", install = "apt-get install python3")
class DocumentedReceiverTest {
    private static final Order ORDER = Orders.of("trade-1/deploy/blue/1", Orders.blue("order", "v2", 3));

    @TempDir
    Path directory;

    @Test
    @Requirement("C6")
    void itTakesWhatIsSignedAndRefusesWhatIsNot() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef0123456789abcdef\n");
        Path other = Files.writeString(directory.resolve("other"), "another-secret-of-somebody-else\n");
        Path program = Files.writeString(directory.resolve("receiver.py"), documented());
        ExecutorService threads = Executors.newFixedThreadPool(2);
        Process receiver = new ProcessBuilder("/usr/bin/python3", program.toString(), secret.toString(), "0")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(receiver.getInputStream(), StandardCharsets.UTF_8))) {
            URI url = URI.create("http://127.0.0.1:" + out.readLine() + "/");

            assertAnswer(deployer(url, secret, InstantSource.system(), threads), "begun");
            assertAnswer(deployer(url, other, InstantSource.system(), threads), "webhook answered 401");
            InstantSource late = () -> InstantSource.system().instant().minusSeconds(301);
            assertAnswer(deployer(url, secret, late, threads), "webhook answered 401");
        } finally {
            receiver.destroyForcibly();
            threads.shutdownNow();
        }
    }

    private static WebhookDeployer deployer(URI url, Path secret, InstantSource clock, ExecutorService threads) {
        return new WebhookDeployer(
                url,
                Signature.from(secret),
                new Outbound(Duration.ofSeconds(5), WebhookDeployer.LARGEST, threads),
                Duration.ofMillis(50),
                clock,
                System::nanoTime);
    }

    private static void assertAnswer(WebhookDeployer deployer, String note) {
        await().untilAsserted(() -> assertThat(deployer.deploy(ORDER)).isEqualTo(new Progress.Running(note)));
    }

    private static String documented() throws IOException {
        String page = Files.readString(root().resolve("docs/deployers.md"));
        return page.split("```python\n", 2)[1].split("```", 2)[0];
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
