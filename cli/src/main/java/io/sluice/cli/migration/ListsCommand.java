package io.sluice.cli.migration;

import io.sluice.cli.release.WhyOption;
import io.sluice.cli.terminal.Document;
import io.sluice.cli.terminal.Line;
import io.sluice.cli.terminal.Lines;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.plan.Keys;
import io.sluice.wire.migration.MigrationChange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice migration lists}: the keys that go first, and those that are held back. */
@Command(
        name = "lists",
        sortOptions = false,
        description = {
            "Replaces one list of keys or both; a list that is not given stays.",
            "A file has one key a line; an empty one empties the list. A list against the percentage is refused."
        },
        customSynopsis = {
            "sluice migration lists NAME [--also-new KEY... | --also-new-file FILE]",
            "                     [--held-back KEY... | --held-back-file FILE] --why TEXT",
            "                     [--version V] [--format json|text] [--server URL]"
        })
final class ListsCommand extends ChangeCommand {
    private static final String STDIN = "-";
    private static final int LONGEST_LINE = 4 * Keys.LONGEST;

    @Option(
            names = "--also-new",
            arity = "1..*",
            paramLabel = "KEY",
            description = "Go to new whatever the percentage.")
    private @Nullable List<String> alsoNew;

    @Option(names = "--also-new-file", paramLabel = "FILE", description = "The same; - for standard input.")
    private @Nullable String alsoNewFile;

    @Option(
            names = "--held-back",
            arity = "1..*",
            paramLabel = "KEY",
            description = "No percentage may take them along.")
    private @Nullable List<String> heldBack;

    @Option(names = "--held-back-file", paramLabel = "FILE", description = "The same; - for standard input.")
    private @Nullable String heldBackFile;

    private ListsCommand(Terminal terminal) {
        super(terminal);
    }

    /** A mistyped option is one, and no key. */
    static CommandLine line(Terminal terminal) {
        return new CommandLine(new ListsCommand(terminal)).setUnmatchedOptionsAllowedAsOptionParameters(false);
    }

    @Override
    MigrationChange change(OptionValues options, WhyOption reason) {
        options.require(
                !STDIN.equals(alsoNewFile) || !STDIN.equals(heldBackFile),
                "--held-back-file",
                STDIN,
                "must be a file where --also-new-file is standard input");
        Optional<List<String>> first = list("--also-new", alsoNew, alsoNewFile, options);
        Optional<List<String>> last = list("--held-back", heldBack, heldBackFile, options);
        String why = reason.required(options);
        if (first.isEmpty() && last.isEmpty()) {
            options.require(false, "--also-new", "missing", "must be given, or --held-back, or a file of one");
            return MigrationChange.retry(why);
        }
        return MigrationChange.lists(first, last, why);
    }

    @Override
    boolean isForWhatIsSeen() {
        return true;
    }

    private Optional<List<String>> list(
            String option, @Nullable List<String> keys, @Nullable String file, OptionValues options) {
        options.require(
                keys == null || file == null,
                option + "-file",
                "given",
                "must be left out where " + option + " is given");
        if (keys != null) {
            keys.forEach(key -> options.read(option, key, Keys::require, ""));
            return Optional.of(keys);
        }
        return file == null
                ? Optional.empty()
                : Optional.of(options.read(option + "-file", file, this::keysOf, List.of()));
    }

    private List<String> keysOf(String file) {
        Lines lines = new Lines(new ByteArrayInputStream(Document.read("", file, terminal())), LONGEST_LINE);
        List<String> keys = new ArrayList<>();
        try {
            for (Line line = lines.next(); line != null; line = lines.next()) {
                keys.add(key(line));
            }
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return keys;
    }

    private static String key(Line line) {
        if (!line.isReadable()) {
            throw new RefusedException("", "line " + line.number() + ", " + line.flaw(), "must hold one key a line");
        }
        try {
            return Keys.require(line.text());
        } catch (RefusedException noKey) {
            Problem problem = noKey.problems().get(0);
            throw new RefusedException("", "line " + line.number() + ", " + problem.was(), problem.allowed());
        }
    }
}
