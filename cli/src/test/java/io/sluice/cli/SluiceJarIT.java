package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packaged jar as a process of its own: exit codes, streams, class path. */
class SluiceJarIT {
    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource(delimiter = '|', textBlock = """
            guard --min-samples=100 --max-error-rate=2% --max-p99=300ms | 10,0 | 100 | 0
            guard --min-samples=100 --max-error-rate=2% --max-p99=300ms | x    | 1   | 2
            guard --min-samples=100 --max-error-rate=2% --max-p99=300ms | 10,1 | 100 | 10
            guard --min-samples=100 --max-error-rate=2% --max-p99=300ms | 10,0 | 99  | 11
            split --salt=s --percent=101                                | c-1  | 1   | 2
            rules lint -                                                | {}   | 1   | 2
            migration ready --stats=-                                   | {"days":[]} | 1 | 10
            release list --server=http://127.0.0.1:1                    | ''   | 1   | 2
            nonsense                                                    | ''   | 1   | 2
            """)
    void endsWithTheDocumentedCode(String arguments, String line, int times, int code)
            throws IOException, InterruptedException {
        Ran ran = run((line + "\n").repeat(times), arguments.split(" "));

        assertThat(ran.code()).isEqualTo(code);
        assertThat(ran.err()).doesNotContain("Exception", "\tat ");
        assertThat(ran.out().isEmpty()).isEqualTo(code == 2);
    }

    @Test
    void readsAndWritesUtf8InAnyLocale() throws IOException, InterruptedException {
        Ran ran = run("発布\n", "split", "--salt=s", "--percent=100");

        assertThat(ran.out()).startsWith("発布\tcanary\t");
    }

    @Test
    void stopsQuietlyWhenItsReaderHasEnough() throws IOException, InterruptedException {
        Process process = start("split", "--salt=s", "--percent=10");
        CompletableFuture<Void> feeding = CompletableFuture.runAsync(() -> feed(process, "c-1\n".repeat(1_000_000)));

        process.getInputStream().close();

        String err = text(process.getErrorStream());
        assertThat(process.waitFor()).isZero();
        assertThat(err).isEmpty();
        feeding.join();
    }

    private static Ran run(String input, String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        CompletableFuture<String> err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
        CompletableFuture<Void> feeding = CompletableFuture.runAsync(() -> feed(process, input));
        String out = text(process.getInputStream());
        feeding.join();
        return new Ran(process.waitFor(), out, err.join());
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                System.getProperty("sluice.cli.jar")));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", "C");
        return builder.start();
    }

    /** A process that ends early closes its input, which is no failure of the test. */
    private static void feed(Process process, String input) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException closed) {
            assertThat(closed).hasMessageContaining("pipe");
        }
    }

    private static String text(InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
