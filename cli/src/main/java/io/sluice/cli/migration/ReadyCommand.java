package io.sluice.cli.migration;

import io.sluice.cli.terminal.Document;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
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
import picocli.CommandLine.Option;

/** {@code sluice migration ready}: the exit criteria held against the evidence. */
@Command(
        name = "ready",
        sortOptions = false,
        description = {
            "Says whether the old side of a migration may go: every condition that is not met, all at once.",
            "Counts are summed over all days given; the days of the window are those at the end."
        },
        customSynopsis = "sluice migration ready --stats FILE [--criteria FILE]",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:ready", "2:wrong usage, or problems in a file", "10:not ready"})
final class ReadyCommand implements Callable<Integer> {
    private static final String STDIN = "-";

    private final Terminal terminal;
    private final InstantSource clock;

    @Option(
            names = "--stats",
            required = true,
            paramLabel = "FILE",
            description = "What was seen by day, as JSON; - for standard input.")
    private String stats = "";

    @Option(
            names = "--criteria",
            paramLabel = "FILE",
            description = "The limits, as JSON; - for standard input. Without it 50,000 successes, 10 bps of fallbacks,"
                    + " 5 bps of differences and 7 days.")
    private @Nullable String criteria;

    ReadyCommand(Terminal terminal, InstantSource clock) {
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public Integer call() throws IOException {
        Problems problems = new Problems();
        problems.require(
                !stats.equals(STDIN) || !STDIN.equals(criteria),
                "--criteria",
                STDIN,
                "must be a file where --stats is standard input");
        problems.throwIfAny();
        @Nullable Evidence evidence = read("stats", stats, EvidenceStatsJson::readStrict, problems);
        @Nullable
        ExitCriteria limits = criteria == null
                ? ExitCriteria.DEFAULT
                : read("criteria", criteria, ExitCriteriaJson::readStrict, problems);
        problems.throwIfAny();
        return judge(Objects.requireNonNull(evidence), Objects.requireNonNull(limits));
    }

    private int judge(Evidence evidence, ExitCriteria limits) throws IOException {
        LocalDate today = clock.instant().atZone(ZoneOffset.UTC).toLocalDate();
        if (criteria == null) {
            terminal.say("judged by the defaults, since there is no --criteria: minNewSuccesses "
                    + limits.minNewSuccesses() + ", maxFallbackBps " + limits.maxFallbackBps() + ", maxShadowDiffBps "
                    + limits.maxShadowDiffBps() + ", minDays " + limits.minDays());
        }
        warnOfOldEvidence(evidence.days(), today);
        Readiness readiness = evidence.readiness(limits, today);
        terminal.print(new JsonLine()
                .with("ready", readiness.isReady())
                .with("unmet", readiness.unmet())
                .toString());
        return readiness.isReady() ? Exit.OK : Exit.BREACH;
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
