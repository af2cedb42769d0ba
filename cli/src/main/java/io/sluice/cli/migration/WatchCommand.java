package io.sluice.cli.migration;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.terminal.CommandFailedException;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.wire.DurationText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code sluice migration watch}: how far it is, once a second, until all keys are where they should be. */
@Command(
        name = "watch",
        sortOptions = false,
        description = {
            "Prints once a second how far a migration is, until every key is where it should be and no process is behind.",
            "A server that is away for a while is waited for."
        },
        customSynopsis = "sluice migration watch NAME [--timeout D] [--format json|text] [--server URL]",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done", "2:wrong usage, or refused by the server", "11:not done within --timeout"})
final class WatchCommand implements Callable<Integer> {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration FOR_EVER = Duration.ofDays(10_000);
    private static final List<String> FIELDS =
            List.of("name", "version", "revision", "newPercent", "paused", "behind", "progress");
    private static final String REDRAW = "\r\u001b[K";

    private final Terminal terminal;
    private final LongSupplier nanoClock;
    private final Pause pause;
    private final boolean redraws;

    @Mixin
    private OneMigration migration = new OneMigration();

    @Option(
            names = "--timeout",
            paramLabel = "D",
            description = "Watches no longer than this, like 30m; else until done.")
    private @Nullable String timeout;

    /**
     * @param pause waits
     * @param redraws whether text for people is drawn in place, on one line of a terminal
     */
    WatchCommand(Terminal terminal, LongSupplier nanoClock, Pause pause, boolean redraws) {
        this.terminal = terminal;
        this.nanoClock = nanoClock;
        this.pause = pause;
        this.redraws = redraws;
    }

    /** What lets time pass. */
    interface Pause {
        void pause(Duration time) throws InterruptedException;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        long start = nanoClock.getAsLong();
        OptionValues options = migration.options();
        Duration limit = timeout == null ? FOR_EVER : options.read("--timeout", timeout, DurationText::parse, FOR_EVER);
        ServerApi api = migration.open(options, terminal);
        // Who can't be asked at all is no server that is away for a while.
        Optional<JsonNode> seen = Optional.of(api.get(migration.path()));
        String trouble = "";
        while (true) {
            if (seen.isPresent()) {
                show(seen.get());
                if (isDone(seen.get())) {
                    return end(Exit.OK, "");
                }
            }
            Duration left = limit.minusNanos(nanoClock.getAsLong() - start);
            if (left.isNegative() || left.isZero()) {
                return end(Exit.INSUFFICIENT_DATA, "not done within " + DurationText.format(limit));
            }
            pause.pause(left.compareTo(EVERY) < 0 ? left : EVERY);
            try {
                seen = Optional.of(api.get(migration.path()));
                trouble = "";
            } catch (CommandFailedException away) {
                seen = Optional.empty();
                if (!String.valueOf(away.getMessage()).equals(trouble)) {
                    trouble = String.valueOf(away.getMessage());
                    endLine();
                    terminal.say(trouble);
                }
            }
        }
    }

    /** What a mover says of an older plan is not it: so nobody may be behind. */
    private static boolean isDone(JsonNode view) {
        JsonNode progress = view.path("progress");
        return MigrationText.text(progress, "state").equals("done")
                && progress.path("toMove").asLong(1) == 0
                && view.path("behind").asInt(1) == 0;
    }

    private void show(JsonNode view) throws IOException {
        if (!migration.isText()) {
            terminal.print(json(view));
        } else if (redraws) {
            terminal.output().write((REDRAW + MigrationText.progress(view)).getBytes(StandardCharsets.UTF_8));
        } else {
            terminal.print(MigrationText.progress(view));
        }
        terminal.flush();
    }

    private static String json(JsonNode view) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        FIELDS.stream().filter(view::has).forEach(field -> members.put(field, view.path(field)));
        return new String(ServerApi.body(members), StandardCharsets.UTF_8);
    }

    private int end(int code, String why) throws IOException {
        endLine();
        if (!why.isEmpty()) {
            terminal.say(why);
        }
        return code;
    }

    private void endLine() throws IOException {
        if (migration.isText() && redraws) {
            terminal.print("");
            terminal.flush();
        }
    }
}
