package io.sluice.cli.migration;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.ServerOption;
import io.sluice.cli.terminal.CommandFailedException;
import io.sluice.cli.terminal.Document;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.Problems;
import io.sluice.migration.evidence.Evidence;
import io.sluice.migration.evidence.EvidenceDay;
import io.sluice.migration.evidence.ExitCriteria;
import io.sluice.migration.evidence.Readiness;
import io.sluice.wire.migration.EvidenceStatsJson;
import io.sluice.wire.migration.ExitCriteriaJson;
import java.io.IOException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice migration ready}: the exit criteria held against the evidence. */
@Command(
        name = "ready",
        sortOptions = false,
        description = {
            "Says whether the old side of a migration may go: every condition that is not met, all at once.",
            "Counts are summed over all days given; the days of the window are those at the end."
        },
        customSynopsis = {
            "sluice migration ready --stats FILE [--criteria FILE]",
            "       sluice migration ready NAME [--criteria FILE] [--server URL]"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:ready", "2:wrong usage, problems in a file, or refused by the server", "10:not ready"})
final class ReadyCommand implements Callable<Integer> {
    private static final String STDIN = "-";

    private final Terminal terminal;
    private final InstantSource clock;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "The migration whose evidence the server has, in place of --stats.")
    private @Nullable String name;

    @Option(
            names = "--stats",
            paramLabel = "FILE",
            description = "What was seen by day, as JSON; - for standard input.")
    private @Nullable String stats;

    @Option(
            names = "--criteria",
            paramLabel = "FILE",
            description = "The limits, as JSON; - for standard input. Without it 50,000 successes, 10 bps of fallbacks,"
                    + " 5 bps of differences and 7 days.")
    private @Nullable String criteria;

    @Mixin
    private ServerOption server = new ServerOption();

    ReadyCommand(Terminal terminal, InstantSource clock) {
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        boolean isOfServer = name != null;
        options.require(
                isOfServer || stats != null,
                "--stats",
                "missing",
                "must be given, or else NAME, a migration that the server has");
        options.require(!isOfServer || stats == null, "--stats", "given", "must be left out where NAME is given");
        options.require(
                !STDIN.equals(stats) || !STDIN.equals(criteria),
                "--criteria",
                STDIN,
                "must be a file where --stats is standard input");
        String migration = name == null ? "" : OneMigration.name(options, name);
        ServerApi api = isOfServer ? server.open(options, terminal) : null;
        options.throwIfAny();
        return api == null ? ofFile(stats == null ? "" : stats) : ofServer(migration, api);
    }

    private int ofFile(String file) throws IOException {
        Problems problems = new Problems();
        @Nullable Evidence evidence = read("stats", file, EvidenceStatsJson::readStrict, problems);
        @Nullable ExitCriteria limits = limits(problems);
        problems.throwIfAny();
        return judge(Objects.requireNonNull(evidence), Objects.requireNonNull(limits));
    }

    /** The server's clock says which day it is, as for the days' ends. */
    private int ofServer(String migration, ServerApi api) throws IOException {
        Problems problems = new Problems();
        @Nullable ExitCriteria read = limits(problems);
        problems.throwIfAny();
        ExitCriteria limits = Objects.requireNonNull(read);
        JsonNode answer = api.get(OneMigration.ALL + "/" + migration + "/readiness?minNewSuccesses="
                + limits.minNewSuccesses() + "&maxFallbackBps=" + limits.maxFallbackBps() + "&maxShadowDiffBps="
                + limits.maxShadowDiffBps() + "&minDays=" + limits.minDays());
        if (!answer.path("ready").isBoolean()) {
            throw new CommandFailedException("the server did not say whether " + migration + " is ready");
        }
        sayDefaults(limits);
        return tell(
                answer.path("ready").booleanValue(),
                answer.path("unmet")
                        .valueStream()
                        .map(each -> each.asString(""))
                        .toList());
    }

    private @Nullable ExitCriteria limits(Problems problems) {
        return criteria == null
                ? ExitCriteria.DEFAULT
                : read("criteria", criteria, ExitCriteriaJson::readStrict, problems);
    }

    private int judge(Evidence evidence, ExitCriteria limits) throws IOException {
        LocalDate today = clock.instant().atZone(ZoneOffset.UTC).toLocalDate();
        sayDefaults(limits);
        warnOfOldEvidence(evidence.days(), today);
        Readiness readiness = evidence.readiness(limits, today);
        return tell(readiness.isReady(), readiness.unmet());
    }

    private int tell(boolean isReady, List<String> unmet) throws IOException {
        terminal.print(
                new JsonLine().with("ready", isReady).with("unmet", unmet).toString());
        return isReady ? Exit.OK : Exit.BREACH;
    }

    private void sayDefaults(ExitCriteria limits) {
        if (criteria == null) {
            terminal.say("judged by the defaults, since there is no --criteria: minNewSuccesses "
                    + limits.minNewSuccesses() + ", maxFallbackBps " + limits.maxFallbackBps() + ", maxShadowDiffBps "
                    + limits.maxShadowDiffBps() + ", minDays " + limits.minDays());
        }
    }

    /** A file may be judged at any time; whoever does it later than planned should know. */
    private void warnOfOldEvidence(List<EvidenceDay> days, LocalDate today) {
        if (!days.isEmpty() && days.get(days.size() - 1).date().isBefore(today.minusDays(1))) {
            terminal.say("warning: the last day given is "
                    + days.get(days.size() - 1).date() + "; what happened since is not judged");
        }
    }

    /** Null when there are problems, which are noted under the file's part, so that those of both files are told. */
    private <T> @Nullable T read(String part, String file, Function<byte[], T> reader, Problems problems) {
        byte @Nullable [] json = problems.part("", () -> Document.read("--" + part, file, terminal));
        return json == null ? null : problems.part(part, () -> reader.apply(json));
    }
}
