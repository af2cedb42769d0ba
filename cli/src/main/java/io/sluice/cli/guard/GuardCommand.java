package io.sluice.cli.guard;

import io.sluice.cli.terminal.BadLines;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
import io.sluice.cli.terminal.Line;
import io.sluice.cli.terminal.Lines;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Guard;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.guard.Verdict;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.DurationText;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice guard}: the verdict about the requests on standard input. */
@Command(
        name = "guard",
        sortOptions = false,
        description = {
            "Judges a canary by the requests on standard input, a line latencyMillis,failed(0|1) each.",
            "Strictly more than a limit is a breach, exactly the limit is not."
        },
        customSynopsis = {
            "sluice guard --min-samples N --max-error-rate R --max-p99 DURATION < requests",
            "  or:  sluice guard simulate [OPTIONS]"
        },
        commandListHeading = "%n",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:healthy", "2:wrong usage or bad lines", "10:a breach", "11:too few requests to say"})
public final class GuardCommand implements Callable<Integer> {
    private static final int LONGEST_LINE = 256;
    private static final int DECIMALS = 6;

    private final Terminal terminal;

    @Option(names = "--min-samples", paramLabel = "N", description = "Fewer requests are not judged.")
    private @Nullable String minSamples;

    @Option(names = "--max-error-rate", paramLabel = "R", description = "Largest share of failures: 0.02 or 2%%.")
    private @Nullable String maxErrorRate;

    @Option(names = "--max-p99", paramLabel = "DURATION", description = "Largest P99 latency, like 300ms.")
    private @Nullable String maxP99;

    private GuardCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The command with its own command, without which it judges. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new GuardCommand(terminal)).addSubcommand(new SimulateCommand(terminal));
    }

    @Override
    public Integer call() throws IOException {
        Thresholds limits = limits();
        Samples samples = new Samples(limits.maxP99());
        BadLines bad = new BadLines(Sample.ALLOWED);
        Lines lines = new Lines(terminal.in(), LONGEST_LINE);
        for (Line line = lines.next(); line != null; line = lines.next()) {
            Sample sample = Sample.parse(line.text());
            if (sample == null) {
                bad.add(line);
            } else {
                samples.add(sample);
            }
        }
        if (!bad.isEmpty()) {
            bad.sayTo(terminal);
            return Exit.REFUSED;
        }
        Verdict verdict = new Guard(limits).judge(samples.drain(), samples.p99(), Duration.ZERO);
        terminal.print(json(verdict));
        return exitCode(verdict.health());
    }

    private Thresholds limits() {
        OptionValues options = new OptionValues();
        long least = options.read("--min-samples", minSamples, GuardCommand::wholeNumber, 1L);
        ErrorRate rate = options.read("--max-error-rate", maxErrorRate, ErrorRate::parse, new ErrorRate(0));
        Duration second = Duration.ofSeconds(1);
        Duration p99 = options.read("--max-p99", maxP99, DurationText::parse, second);
        Thresholds limits = options.build(
                () -> new Thresholds(least, rate, p99, Thresholds.DEFAULT_SILENCE),
                new Thresholds(1, rate, second, Thresholds.DEFAULT_SILENCE));
        options.throwIfAny();
        return limits;
    }

    private static long wholeNumber(String text) {
        if (!text.matches("[0-9]{1,10}")) {
            throw new RefusedException("", text.isEmpty() ? "empty" : text, "must be within 1..1000000000");
        }
        return Long.parseLong(text);
    }

    /** The numbers of no requests are null: no data is not a good error rate. */
    private static String json(Verdict verdict) {
        JsonLine json = new JsonLine()
                .with("verdict", verdict.health().name())
                .with("reason", verdict.reason())
                .with("samples", verdict.samples());
        if (verdict.samples() == 0) {
            return json.withNull("errorRate").withNull("p99Millis").toString();
        }
        BigDecimal errorRate = BigDecimal.valueOf(verdict.failures())
                .divide(BigDecimal.valueOf(verdict.samples()), DECIMALS, RoundingMode.HALF_UP);
        return json.with("errorRate", errorRate)
                .with("p99Millis", BigDecimal.valueOf(verdict.p99().toNanos(), DECIMALS))
                .toString();
    }

    private static int exitCode(Health health) {
        return switch (health) {
            case HEALTHY -> Exit.OK;
            case HOLD -> Exit.INSUFFICIENT_DATA;
            case BREACH -> Exit.BREACH;
        };
    }
}
