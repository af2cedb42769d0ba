package io.sluice.cli.guard;

import io.sluice.cli.terminal.Document;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Alpha;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.Stage;
import io.sluice.wire.DurationText;
import io.sluice.wire.ReleaseDraft;
import io.sluice.wire.ReleaseSpecJson;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice guard simulate}: what the guard would do with a service's traffic, before anything is released. */
@Command(
        name = "simulate",
        sortOptions = false,
        description = {
            "Says how soon the guard would find a bad canary, and how often it errs.",
            "Plays a stage, or all stages of a release request, with made-up traffic through the guard itself.",
            "Only errors are played, not latencies. The same input gives the same output."
        },
        customSynopsis = {
            "sluice guard simulate --base-error R --rps N --share P [--hold DURATION]",
            "           [--min-samples N] [--max-error-rate R] [--alpha A] [--comparisons N] [OPTIONS]",
            "  or:  sluice guard simulate --base-error R --rps N --plan FILE [OPTIONS]"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:simulated", "2:wrong usage, or problems of the release request"})
final class SimulateCommand implements Callable<Integer> {
    private static final String RPS_ALLOWED = "must be within 0.001..10000000, requests a second";
    private static final double[] FACTORS = {2, 4, 12};
    private static final int MOST_RUNS = 100_000;
    private static final int LEAST_RUNS = 100;
    /** Four stages that compare, each errors and slow requests, for one service and for the edges. */
    private static final int COMPARISONS = 16;

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final Terminal terminal;

    @Option(names = "--base-error", paramLabel = "R", description = "What fails of the service today: 0.005 or 0.5%%.")
    private @Nullable String baseError;

    @Option(
            names = "--rps",
            paramLabel = "N",
            description = "What the service gets: requests a second, both lanes (the plan's requestsPerSecond).")
    private @Nullable String requestsPerSecond;

    @Option(names = "--share", paramLabel = "P", description = "Canary's share, like 1%%.")
    private @Nullable String share;

    @Option(names = "--hold", paramLabel = "DURATION", description = "How long the stage is held (10m).")
    private @Nullable String hold;

    @Option(names = "--min-samples", paramLabel = "N", description = "Fewer canary requests are not judged (100).")
    private @Nullable String minSamples;

    @Option(names = "--max-error-rate", paramLabel = "R", description = "The hard limit (1%%).")
    private @Nullable String maxErrorRate;

    @Option(names = "--alpha", paramLabel = "A", description = "The release's chance of a false alarm (1%%).")
    private @Nullable String alpha;

    @Option(
            names = "--comparisons",
            paramLabel = "N",
            description = "Among how many alpha is shared: stages that compare x (services + 1) x 2 (16).")
    private @Nullable String comparisons;

    @Option(names = "--plan", paramLabel = "FILE", description = "A release request as JSON; - for standard input.")
    private @Nullable String plan;

    @Option(
            names = "--canary-error",
            paramLabel = "R",
            description = "What fails of a bad canary; may be given more than once (2, 4 and 12 times the base).")
    private List<String> canaryErrors = new ArrayList<>();

    @Option(
            names = "--customers",
            paramLabel = "N",
            description = "So many customers, who keep their lane and differ; otherwise each request is by itself.")
    private @Nullable String customers;

    @Option(
            names = "--retries",
            paramLabel = "N",
            description = "How often a customer's failed request is tried again, in vain (0).")
    private @Nullable String retries;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "How often a healthy canary is played, 100..100000 (20..2000, what takes some seconds).")
    private @Nullable String runs;

    @Option(names = "--seed", paramLabel = "N", description = "For other random numbers (1).")
    private @Nullable String seed;

    SimulateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        @Nullable ReleaseDraft draft = plan == null ? null : draft(options, plan);
        // What a plan that is refused would have said is not asked for.
        Service service = service(options, draft == null ? (plan == null ? 0 : 1) : draft.requestsPerSecond());
        List<Double> breaks = breaks(options, service.baseError());
        List<Idle> idle = draft == null ? List.of() : idle(draft.spec());
        List<Forecast.Question> questions =
                plan == null ? one(options, service, breaks) : all(options, draft, service, breaks);
        int of = draft == null ? 1 : draft.spec().plan().stages().size();
        Effort effort = effort(options, questions);
        long start = whole(options, "--seed", seed, 0, Long.MAX_VALUE, 1);
        options.throwIfAny();

        if (of == 1 && idle.isEmpty()) {
            Forecast forecast = Forecast.of(questions.get(0), effort, start);
            terminal.print(ForecastJson.line(service, start, effort.runs(), List.of(forecast), idle));
            Advice.lines(List.of(forecast)).forEach(terminal::say);
            ForecastText.lines(forecast).forEach(terminal::say);
        } else {
            List<Forecast> forecasts = stages(questions, idle, of, effort, start);
            terminal.print(ForecastJson.line(service, start, effort.runs(), forecasts, idle));
        }
        terminal.say("seed " + start + ", " + effort.runs() + " runs; \"at most\" is the upper 99% bound;"
                + " only errors are played, not latencies");
        if (effort.isCut()) {
            terminal.say("fewer runs than the usual " + Effort.USUAL_RUNS
                    + ", to be done soon; --runs N plays more, and takes longer");
        }
        return Exit.OK;
    }

    /** Says each stage as soon as it was played, and then what all come to. */
    private List<Forecast> stages(
            List<Forecast.Question> questions, List<Idle> idle, int of, Effort effort, long start) {
        List<Forecast> forecasts = new ArrayList<>();
        Iterator<Forecast.Question> next = questions.iterator();
        for (int number = 1; number <= of; number++) {
            int at = number;
            Optional<Idle> still =
                    idle.stream().filter(each -> each.number() == at).findFirst();
            if (still.isPresent()) {
                terminal.say(ForecastText.line(still.get(), of));
                continue;
            }
            Forecast forecast = Forecast.of(next.next(), effort, start);
            ForecastText.lines(forecast).forEach(terminal::say);
            forecasts.add(forecast);
        }
        terminal.say("all stages: false alarms: hard limit "
                + ForecastText.percent(ForecastText.anyOf(forecasts, Forecast::hardLimit))
                + ", comparison with stable "
                + ForecastText.percent(ForecastText.anyOf(forecasts, Forecast::detector)));
        Advice.lines(forecasts).forEach(line -> terminal.say("  " + line));
        return forecasts;
    }

    /** @param usual what the plan says of the requests that come; 0 when it says nothing */
    private Service service(OptionValues options, long usual) {
        double base = options.read("--base-error", baseError, ErrorRate::parse, new ErrorRate(0))
                        .ppm()
                / 1e6;
        BigDecimal given = usual > 0 && requestsPerSecond == null
                ? BigDecimal.valueOf(usual)
                : options.read("--rps", requestsPerSecond, SimulateCommand::rps, BigDecimal.ONE);
        long crowd = customers == null ? 0 : whole(options, "--customers", customers, 1, 1_000_000, 1);
        long again = whole(options, "--retries", retries, 0, 100, 0);
        options.require(
                retries == null || customers != null,
                "--retries",
                String.valueOf(retries),
                "must come with --customers, whose failed requests are tried again");
        return new Service(base, given.doubleValue(), (int) crowd, (int) again);
    }

    private List<Double> breaks(OptionValues options, double base) {
        List<Double> rates = new ArrayList<>();
        for (String text : canaryErrors) {
            double rate = options.read("--canary-error", text, ErrorRate::parse, new ErrorRate(1_000_000))
                            .ppm()
                    / 1e6;
            options.require(rate > base, "--canary-error", text, "must be more than --base-error");
            rates.add(rate);
        }
        for (int i = 0; i < FACTORS.length && canaryErrors.isEmpty() && base > 0; i++) {
            if (FACTORS[i] * base <= 1) {
                rates.add(FACTORS[i] * base);
            }
        }
        return rates;
    }

    /** The one stage that the options describe. */
    private List<Forecast.Question> one(OptionValues options, Service service, List<Double> breaks) {
        Percent percent = options.read("--share", share, SimulateCommand::share, Percent.HUNDRED);
        options.require(!percent.equals(Percent.ZERO), "--share", String.valueOf(share), "must be more than 0");
        Duration held = options.read("--hold", or(hold, "10m"), SimulateCommand::hold, Duration.ofMinutes(10));
        long least = whole(options, "--min-samples", minSamples, 1, 1_000_000_000, 100);
        ErrorRate most = options.read("--max-error-rate", or(maxErrorRate, "1%"), ErrorRate::parse, new ErrorRate(0));
        Alpha all = options.read("--alpha", or(alpha, "1%"), Alpha::parse, Alpha.DEFAULT);
        int tests = (int) whole(options, "--comparisons", comparisons, 1, 100_000, COMPARISONS);
        StageGuard guard = new StageGuard(
                new Thresholds(least, most, Duration.ofSeconds(1), Thresholds.DEFAULT_SILENCE),
                least,
                false,
                new Baseline(all, Baseline.DEFAULT.critical()),
                all.share(tests),
                percent,
                true);
        return List.of(new Forecast.Question(1, 1, guard, held, service, breaks));
    }

    /** The stages of a release request that are played; those of none when it was refused. */
    private List<Forecast.Question> all(
            OptionValues options, @Nullable ReleaseDraft draft, Service service, List<Double> breaks) {
        refuseWithPlan(options, "--share", share);
        refuseWithPlan(options, "--hold", hold);
        refuseWithPlan(options, "--min-samples", minSamples);
        refuseWithPlan(options, "--max-error-rate", maxErrorRate);
        refuseWithPlan(options, "--alpha", alpha);
        refuseWithPlan(options, "--comparisons", comparisons);
        List<Forecast.Question> questions = new ArrayList<>();
        if (draft == null) {
            return questions;
        }
        List<Stage> stages = draft.spec().plan().stages();
        for (int i = 0; i < stages.size(); i++) {
            if (isPlayed(stages.get(i))) {
                questions.add(new Forecast.Question(
                        i + 1,
                        stages.size(),
                        draft.spec().guard(i),
                        stages.get(i).hold(),
                        service,
                        breaks));
            }
        }
        return questions;
    }

    private static List<Idle> idle(ReleaseSpec spec) {
        List<Idle> idle = new ArrayList<>();
        List<Stage> stages = spec.plan().stages();
        for (int i = 0; i < stages.size(); i++) {
            if (!isPlayed(stages.get(i))) {
                idle.add(new Idle(i + 1, stages.get(i), spec.guard(i).samples()));
            }
        }
        return idle;
    }

    /** Whether canary is given to anybody by chance, for any time. */
    private static boolean isPlayed(Stage stage) {
        return !stage.percent().equals(Percent.ZERO) && stage.hold().compareTo(SHORTEST) >= 0;
    }

    /** The release request; null when it is refused, which is noted under its own paths. */
    private @Nullable ReleaseDraft draft(OptionValues options, String file) {
        Optional<byte[]> json =
                options.read("--plan", file, name -> Optional.of(Document.read(name, terminal)), Optional.empty());
        try {
            return json.map(ReleaseSpecJson::readDraft).orElse(null);
        } catch (RefusedException refused) {
            String place = file.equals("-") ? "standard input" : file;
            for (Problem problem : refused.problems()) {
                options.require(false, place + ": " + problem.path(), problem.was(), problem.allowed());
            }
            return null;
        }
    }

    private static void refuseWithPlan(OptionValues options, String option, @Nullable String text) {
        options.require(text == null, option, String.valueOf(text), "must be left out with --plan, which says it");
    }

    /** As many runs as take some seconds, unless they are given. */
    private Effort effort(OptionValues options, List<Forecast.Question> questions) {
        Effort effort = Effort.of(
                questions,
                runs == null ? null : (int) whole(options, "--runs", runs, LEAST_RUNS, MOST_RUNS, LEAST_RUNS));
        options.require(
                customers == null || questions.stream().allMatch(effort::isEnough),
                "--customers",
                String.valueOf(customers),
                "must be left out where so many requests come within the hold time");
        return effort;
    }

    private static long whole(
            OptionValues options, String option, @Nullable String text, long least, long most, long standIn) {
        return text == null ? standIn : options.read(option, text, given -> whole(given, least, most), standIn);
    }

    private static long whole(String text, long least, long most) {
        if (text.matches("[0-9]{1,18}")) {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        }
        throw refused(text, "must be within " + least + ".." + most);
    }

    private static BigDecimal rps(String text) {
        if (text.matches("[0-9]{1,8}(\\.[0-9]{1,3})?")) {
            BigDecimal value = new BigDecimal(text);
            if (value.signum() > 0 && value.compareTo(BigDecimal.valueOf(10_000_000)) <= 0) {
                return value;
            }
        }
        throw refused(text, RPS_ALLOWED);
    }

    private static Duration hold(String text) {
        Duration duration = DurationText.parse(text);
        if (duration.compareTo(Duration.ofSeconds(10)) < 0 || duration.compareTo(Duration.ofDays(30)) > 0) {
            throw refused(text, "must be within 10s..30d");
        }
        return duration;
    }

    /** {@code 1%} or, as in files, {@code 1}. */
    private static Percent share(String text) {
        return Percent.parse(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
    }

    private static RefusedException refused(String text, String allowed) {
        return new RefusedException("", text.isEmpty() ? "empty" : text, allowed);
    }

    private static String or(@Nullable String text, String standIn) {
        return text == null ? standIn : text;
    }
}
