package io.sluice.cli.migration;

import io.sluice.cli.terminal.Document;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.evidence.Evidence;
import io.sluice.migration.evidence.ExitCriteria;
import io.sluice.migration.retirement.check.Mark;
import io.sluice.migration.retirement.check.MarkReader;
import io.sluice.migration.retirement.check.Marks;
import io.sluice.wire.migration.EvidenceStatsJson;
import io.sluice.wire.migration.ExitCriteriaJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice migration retire}: what to delete when a migration is over, in which order, and whether it may go yet. */
@Command(
        name = "retire",
        sortOptions = false,
        description = {
            "Lists what carries @Retire in class files, in the order in which it is deleted.",
            "With evidence it says first whether the old side may go at all."
        },
        customSynopsis = {
            "sluice migration retire --classes DIR|JAR... [--sources DIR] [--migration NAME]",
            "           [--ready-stats FILE [--criteria FILE]] [--json]"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:listed, or nothing is marked",
            "2:wrong usage, no class files, or a mark that can't be understood",
            "10:the evidence says that it is too early"
        })
final class RetireCommand implements Callable<Integer> {
    private static final String STDIN = "-";
    private static final List<String> STEPS = List.of(
            "What chooses between the branches, and the new side's calls of its fence",
            "What compares them",
            "The old branch, and whatever else is marked");

    private final Terminal terminal;
    private final InstantSource clock;

    @Option(
            names = "--classes",
            required = true,
            arity = "1..*",
            paramLabel = "DIR|JAR",
            description = "Where class files are. Jars within a jar are not opened.")
    private List<String> classes = new ArrayList<>();

    @Option(
            names = "--sources",
            paramLabel = "DIR",
            description = "Where their sources are, at any depth, to name files and lines.")
    private @Nullable String sources;

    @Option(names = "--migration", paramLabel = "NAME", description = "Only what this migration leaves behind.")
    private @Nullable String migration;

    @Option(
            names = "--ready-stats",
            paramLabel = "FILE",
            description = "The evidence, as for sluice migration ready; - for standard input.")
    private @Nullable String stats;

    @Option(names = "--criteria", paramLabel = "FILE", description = "Its limits; otherwise the defaults.")
    private @Nullable String criteria;

    @Option(names = "--json", description = "Prints one JSON object for each place instead.")
    private boolean json;

    RetireCommand(Terminal terminal, InstantSource clock) {
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public Integer call() throws IOException {
        LocalDate today = clock.instant().atZone(ZoneOffset.UTC).toLocalDate();
        Problems problems = new Problems();
        List<String> unmet = unmet(today, problems);
        @Nullable Marks found = problems.part("", this::marks);
        @Nullable Sources files = problems.part("", this::files);
        problems.throwIfAny();

        boolean isEarly = !unmet.isEmpty();
        if (isEarly) {
            terminal.say("too early: the evidence is not ready");
            unmet.forEach(reason -> terminal.say("  " + reason));
        }
        list(found == null ? List.of() : found.all(), files, today);
        return isEarly ? Exit.BREACH : Exit.OK;
    }

    private void list(List<Mark> marks, @Nullable Sources files, LocalDate today) throws IOException {
        if (marks.isEmpty()) {
            terminal.say("nothing is marked with @Retire" + (migration == null ? "" : " for " + migration));
            return;
        }
        List<Place> places = new ArrayList<>();
        for (Mark mark : marks) {
            places.add(new Place(mark, files == null ? Optional.empty() : files.placeOf(mark)));
        }
        if (json) {
            for (Place place : places) {
                terminal.print(place.json(today));
            }
            return;
        }
        for (String name : new TreeSet<>(marks.stream().map(Mark::migration).toList())) {
            text(
                    name,
                    places.stream()
                            .filter(place -> place.mark().migration().equals(name))
                            .toList(),
                    today);
        }
    }

    private void text(String name, List<Place> places, LocalDate today) throws IOException {
        terminal.print("What " + Problem.escaped(name) + " leaves behind: " + places.size()
                + (places.size() == 1 ? " place" : " places"));
        terminal.print("");
        terminal.print(
                "0. Before anything: new has 100 percent and no key is left at legacy (sluice migration reconcile),");
        terminal.print(
                "   and the evidence is ready" + (stats == null ? " (sluice migration ready)." : ", see above."));
        for (int step = 1; step <= STEPS.size(); step++) {
            int now = step;
            List<Place> here =
                    places.stream().filter(place -> place.mark().step() == now).toList();
            terminal.print(step + ". " + STEPS.get(step - 1) + (here.isEmpty() ? ": nothing is marked." : ":"));
            for (Place place : here) {
                terminal.print("   " + Problem.escaped(place.text(today)));
            }
        }
        terminal.print(
                "4. Yours: the tables of the old ledger. Last of all, when no process of before runs any more, the rows");
        terminal.print("   of sluice.owner: a key without a row is legacy's.");
    }

    /** Where a mark stands, and its file if that is known. */
    private record Place(Mark mark, Optional<String> file) {
        String text(LocalDate today) {
            long over = mark.daysOver(today);
            String day = over > 0 ? "since " + mark.lastDay() + ", " + over + " days over" : "by " + mark.lastDay();
            return file.map(it -> it + "  ").orElse("") + mark.place() + "  (" + mark.part() + ", " + day + ")";
        }

        String json(LocalDate today) {
            JsonLine line = new JsonLine()
                    .with("migration", mark.migration())
                    .with("step", mark.step())
                    .with("part", mark.part())
                    .with("place", mark.place())
                    .with("lastDay", mark.lastDay().toString())
                    .with("daysOver", Math.max(0, mark.daysOver(today)));
            file.ifPresent(it -> line.with("source", it));
            return line.toString();
        }
    }

    private List<String> unmet(LocalDate today, Problems problems) {
        if (stats == null) {
            problems.require(
                    criteria == null, "--criteria", criteria == null ? "" : criteria, "must come with --ready-stats");
            return List.of();
        }
        if (STDIN.equals(stats) && STDIN.equals(criteria)) {
            problems.add("--criteria", STDIN, "must be a file where --ready-stats is standard input");
            return List.of();
        }
        String given = stats;
        @Nullable
        Evidence evidence = problems.part("", () -> read("--ready-stats", given, EvidenceStatsJson::readStrict));
        @Nullable String limits = criteria;
        @Nullable
        ExitCriteria exit = limits == null
                ? ExitCriteria.DEFAULT
                : problems.part("", () -> read("--criteria", limits, ExitCriteriaJson::readStrict));
        return evidence == null || exit == null
                ? List.of()
                : evidence.readiness(exit, today).unmet();
    }

    private <T> T read(String option, String file, Function<byte[], T> reader) {
        byte[] json = Document.read(option, file, terminal);
        try {
            return reader.apply(json);
        } catch (RefusedException refused) {
            throw new RefusedException(refused.problems().stream()
                    .map(problem -> new Problem(option + " " + problem.path(), problem.was(), problem.allowed()))
                    .toList());
        }
    }

    /** @throws RefusedException for places without class files, and for marks that can't be understood */
    private Marks marks() {
        List<Path> places = classes.stream().map(RetireCommand::path).toList();
        Marks all;
        try {
            all = MarkReader.read(places);
        } catch (IOException unread) {
            throw new RefusedException(
                    "--classes",
                    String.join(" ", classes),
                    "must be directories and jars that can be read (" + unread.getMessage() + ")");
        }
        if (all.classFiles() == 0) {
            throw new RefusedException("--classes", String.join(" ", classes), "must hold class files");
        }
        if (!all.unreadable().isEmpty()) {
            throw new RefusedException(all.unreadable().stream()
                    .map(bad -> new Problem(bad.place() + " @Retire(after)", bad.after(), Marks.Unreadable.ALLOWED))
                    .toList());
        }
        if (migration == null) {
            return all;
        }
        Marks ofOne = all.of(migration);
        if (ofOne.all().isEmpty() && !all.all().isEmpty()) {
            terminal.say("marked are: "
                    + all.all().stream()
                            .map(Mark::migration)
                            .distinct()
                            .sorted()
                            .collect(Collectors.joining(", ")));
        }
        return ofOne;
    }

    private @Nullable Sources files() {
        if (sources == null) {
            return null;
        }
        String allowed = "must be a directory that can be read";
        try {
            Path directory = path(sources);
            if (Files.isDirectory(directory)) {
                return new Sources(directory);
            }
        } catch (IOException unread) {
            throw new RefusedException("--sources", sources, allowed + " (" + unread + ")");
        }
        throw new RefusedException("--sources", sources, allowed);
    }

    private static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException noPath) {
            throw new RefusedException("--classes or --sources", name, "must be a path");
        }
    }
}
