package io.sluice.cli.rules;

import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.rule.RuleSet;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice rules lint}: every problem of a rule file, and warnings about salts. */
@Command(
        name = "lint",
        sortOptions = false,
        description = "Lists every problem of a rule file.",
        customSynopsis = "sluice rules lint FILE",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:no problem; there may be warnings", "2:wrong usage, or problems"})
final class LintCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "A rule set or its envelope as JSON; - for standard input.")
    private String file = "";

    LintCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        RuleSet rules = RuleFile.read(file, terminal);
        SaltLint.warnings(rules).forEach(warning -> terminal.say("warning: " + warning));
        JsonLine line = new JsonLine().with("releases", rules.releases().size()).with("revision", rules.revision());
        if (!rules.channels().isEmpty()) {
            line.with("channels", rules.channels().size());
        }
        terminal.print(line.toString());
        return Exit.OK;
    }
}
