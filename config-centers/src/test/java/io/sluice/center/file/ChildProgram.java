package io.sluice.center.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.sluice.center.CenterException;
import io.sluice.center.CenterRuleSource;
import io.sluice.center.Refusal;
import io.sluice.center.Rules;
import io.sluice.core.rule.RuleState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a test does in a process of its own. */
final class ChildProgram {
    private static final Duration WITHIN = Duration.ofSeconds(30);

    private ChildProgram() {}

    /** Starts one; its end is 0 when all was as it should be. */
    static Process start(List<String> before, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChildProgram.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).inheritIO().start();
    }

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[1]);
        if (arguments[0].equals("count")) {
            count(file, Integer.parseInt(arguments[2]));
        } else {
            losePermissions(file);
        }
        System.exit(0);
    }

    /** Adds one to the number in the file, so many times. */
    static void count(Path file, int times) {
        try (FileCenter center = FileCenter.of(file)) {
            for (int done = 0; done < times; ) {
                byte[] seen = center.read(WITHIN).orElseThrow();
                int next = Integer.parseInt(new String(seen, US_ASCII)) + 1;
                if (center.writeOver(seen, String.valueOf(next).getBytes(US_ASCII), WITHIN)) {
                    done++;
                }
            }
        }
    }

    private static void losePermissions(Path file) throws IOException {
        try (FileCenter writer = FileCenter.of(file);
                CenterRuleSource source = CenterRuleSource.builder(FileCenter.of(file))
                        .rereadEvery(Duration.ofMillis(500))
                        .staleAfter(Duration.ofSeconds(2))
                        .start()) {
            await().until(() -> source.current().equals(Rules.at(7, 10)));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));

            await().atMost(WITHIN).until(() -> source.refused(Refusal.DENIED) > 0 && source.state() == RuleState.STALE);
            assertThat(source.current()).isEqualTo(Rules.at(7, 10));
            assertThat(source.lastRefusal().get(0).was()).endsWith("rules: no permission");

            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            await().atMost(WITHIN).until(() -> source.state() == RuleState.FRESH);
            Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString("r-x------"));
            assertThatExceptionOfType(CenterException.class)
                    .isThrownBy(() -> writer.write(new byte[] {1}, WITHIN))
                    .withMessageEndingWith(": no permission for .rules.lock")
                    .matches(CenterException::isDenied);
        } finally {
            Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString("rwx------"));
        }
    }
}
