package io.sluice.cli.migration;

import io.sluice.cli.terminal.CommandFailedException;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.OutputFile;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.ledger.JdbcLedgers;
import io.sluice.migration.ledger.Reconciliation;
import io.sluice.migration.ledger.ReportReader;
import io.sluice.migration.ledger.Totals;
import io.sluice.migration.ledger.UnreadableLedgerException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice migration reconcile}: the merged report over both ledgers, and what does not add up. */
@Command(
        name = "reconcile",
        sortOptions = false,
        description = {
            "Merges both ledgers of a migration by the owner of each key, and says what does not add up.",
            "Reads one snapshot of the database and changes nothing; writes and moves may go on meanwhile."
        },
        customSynopsis = {
            "sluice migration reconcile --db URL --migration NAME --legacy SQL --new SQL [OPTIONS]",
            "  or:  sluice migration reconcile --config FILE [OPTIONS]"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:it adds up", "2:wrong usage, bad queries, or a database that can't be read", "10:findings"})
final class ReconcileCommand implements Callable<Integer> {
    private static final String STDOUT = "-";
    private static final int MOST_SHOWN = 100_000;

    private final Terminal terminal;

    @Mixin
    private LedgerOptions where = new LedgerOptions();

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description =
                    "Writes every key to a file as well; - for standard output, with the table on standard error.")
    private @Nullable String csv;

    @Option(names = "--show", paramLabel = "N", description = "How many keys with findings the table shows (20).")
    private @Nullable String show;

    @Option(names = "--json", description = "Prints the totals as one JSON object instead of the table.")
    private boolean json;

    ReconcileCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        where.readConfig(terminal);
        OptionValues options = new OptionValues();
        JdbcLedgers ledgers = where.ledgers(options, terminal);
        Reconciliation reconciliation = where.reconciliation(options);
        int shown = show == null ? ReportText.SHOWN : options.read("--show", show, ReconcileCommand::count, 0);
        @Nullable OutputFile file = file(options);
        options.throwIfAny();

        ReportText text = new ReportText(where.migration(), shown);
        Totals totals = run(ledgers, reconciliation, text, file);
        List<String> lines = json ? List.of(text.json(totals)) : text.table(totals);
        for (String line : lines) {
            if (STDOUT.equals(csv)) {
                terminal.say(line);
            } else {
                terminal.print(line);
            }
        }
        return totals.addsUp() ? Exit.OK : Exit.BREACH;
    }

    private @Nullable OutputFile file(OptionValues options) {
        if (csv == null || csv.equals(STDOUT)) {
            return null;
        }
        try {
            return OutputFile.of(csv);
        } catch (RefusedException refused) {
            refused.problems().forEach(problem -> options.require(false, "--csv", problem.was(), problem.allowed()));
            return null;
        }
    }

    private Totals run(JdbcLedgers ledgers, Reconciliation reconciliation, ReportText text, @Nullable OutputFile file)
            throws IOException {
        try {
            if (csv == null) {
                return ledgers.reconcile(reconciliation, text);
            }
            if (file == null) {
                return withCsv(ledgers, reconciliation, text, terminal.output());
            }
            Totals[] totals = new Totals[1];
            file.write(out -> totals[0] = withCsv(ledgers, reconciliation, text, out), "--csv");
            return totals[0];
        } catch (RefusedException refused) {
            throw new RefusedException(refused.problems().stream()
                    .map(ReconcileCommand::underItsOption)
                    .toList());
        } catch (UnreadableLedgerException unreadable) {
            throw new CommandFailedException(String.valueOf(unreadable.getMessage()));
        }
    }

    private static Totals withCsv(
            JdbcLedgers ledgers, Reconciliation reconciliation, ReportReader text, OutputStream out)
            throws IOException {
        OutputStream buffered = new BufferedOutputStream(out);
        try {
            Totals totals = ledgers.reconcile(reconciliation, new ReportCsv(buffered, text));
            buffered.flush();
            return totals;
        } catch (UncheckedIOException unwritten) {
            throw unwritten.getCause();
        }
    }

    private static Problem underItsOption(Problem problem) {
        boolean isOption = List.of("legacy", "new", "migration").contains(problem.path());
        return new Problem(isOption ? "--" + problem.path() : problem.path(), problem.was(), problem.allowed());
    }

    private static int count(String text) {
        if (text.matches("[0-9]{1,6}") && Integer.parseInt(text) <= MOST_SHOWN) {
            return Integer.parseInt(text);
        }
        throw new RefusedException(
                "show", text.isEmpty() ? "empty" : text, "must be a whole number within 0.." + MOST_SHOWN);
    }
}
