package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SluiceTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "help", "--help", "-h"})
    void printsTheOverview(String argument) {
        Ran ran = argument.isEmpty() ? Ran.sluice() : Ran.sluice(argument);

        assertThat(ran.code()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).startsWith("Sluice: progressive delivery").contains("split", "guard", "tag", "rules");
    }

    @ParameterizedTest
    @ValueSource(strings = {"split", "guard", "tag", "rules", "release", "migration"})
    void theOverviewNamesEveryCommandAndEachHasHelp(String command) {
        Ran help = Ran.sluice("help", command);

        assertThat(Ran.sluice().out()).contains("\n  " + command + " ");
        assertThat(help.out()).startsWith("Usage: sluice " + command);
        assertThat(Ran.sluice(command, "--help")).isEqualTo(help);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            splt              | sluice: Unmatched argument at index 0: 'splt'; did you mean split?                 | see sluice --help
            --frob            | sluice: Unknown option: '--frob'                                                   | see sluice --help
            split --percnt=10 | sluice split: Unknown option: '--percnt=10'; did you mean --percent?               | see sluice split --help
            split --salt      | sluice split: Missing required parameter for option '--salt' (S)                   | see sluice split --help
            split a           | sluice split: Unmatched argument at index 1: 'a'                                   | see sluice split --help
            tag               | sluice tag: Missing required parameter: 'VALUE'                                    | see sluice tag --help
            rules             | sluice rules: Missing required subcommand                                          | see sluice rules --help
            rules lint        | sluice rules lint: Missing required parameter: 'FILE'                              | see sluice rules lint --help
            migration         | sluice migration: Missing required subcommand                                      | see sluice migration --help
            release           | sluice release: Missing required subcommand                                        | see sluice release --help
            release abort     | sluice release abort: Missing required parameter: 'ID'                             | see sluice release abort --help
            """)
    void wrongUsageIsExplainedInTwoLines(String arguments, String message, String hint) {
        assertThat(Ran.sluice(arguments.split(" "))).isEqualTo(Ran.refused(message, hint));
    }

    @Test
    void whatWasTypedCannotActOnTheTerminal() {
        Ran ran = Ran.sluice("\u001b[2J");

        assertThat(ran.err()).contains("'\\u001b[2J'").doesNotContain("\u001b");
    }

    @Test
    void lettersThatTheLocaleLostAreNotGuessed() {
        assertThat(Ran.sluice("split", "--salt", "\ufffd\ufffd", "--percent", "10"))
                .isEqualTo(Ran.refused(
                        "argument was \ufffd\ufffd, but must be readable in the locale; set LC_ALL=C.UTF-8"));
    }

    @Test
    void theVersionIsPrinted() {
        assertThat(Ran.sluice("--version").out()).startsWith("sluice ");
    }

    @Test
    void aResultThatCouldNotBeWrittenIsNoSuccess() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };

        int code = Sluice.run(new Terminal(InputStream.nullInputStream(), full, err, Map.of()), "tag", "uid=1");

        assertThat(code).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("reading or writing failed: No space left on device\n");
    }
}
