package io.sluice.cli.channel;

import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
import io.sluice.cli.terminal.Numbers;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.channel.Capacity;
import io.sluice.core.channel.Capacity.Threads;
import io.sluice.core.decision.Percent;
import io.sluice.wire.DurationText;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice capacity}: whether half of the instances can carry all traffic, and if not, how many more are needed. */
@Command(
        name = "capacity",
        sortOptions = false,
        description = {
            "Says before a side is drained how many instances to add, since half of them will carry all traffic.",
            "Prints the numbers; the reasons go to standard error."
        },
        customSynopsis = "sluice capacity --cpu-p99 PCT --instances N [--threads MAX --qps Q --latency D]",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:advised, whatever the advice is", "2:wrong usage"})
public final class CapacityCommand implements Callable<Integer> {
    private static final int STAND_IN = 2;

    private final Terminal terminal;

    @Option(
            names = "--cpu-p99",
            paramLabel = "PCT",
            description = "How busy the processors of an instance are, the 99th percentile of usual days.")
    private @Nullable String cpuP99;

    @Option(names = "--instances", paramLabel = "N", description = "How many there are, of both colors together.")
    private @Nullable String instances;

    @Option(names = "--threads", paramLabel = "MAX", description = "Threads in the pool of one instance.")
    private @Nullable String threads;

    @Option(names = "--qps", paramLabel = "Q", description = "Requests a second to all instances together.")
    private @Nullable String qps;

    @Option(names = "--latency", paramLabel = "D", description = "How long a request takes on average, like 80ms.")
    private @Nullable String latency;

    public CapacityCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        Capacity advice = advice();
        terminal.print(new JsonLine()
                .with("instances", advice.instances())
                .with("add", advice.add())
                .with("addPerSide", advice.addPerSide())
                .toString());
        advice.reasons().forEach(terminal::say);
        return Exit.OK;
    }

    private Capacity advice() {
        OptionValues options = new OptionValues();
        Percent busy = options.read("--cpu-p99", cpuP99, Numbers::percent, Percent.ZERO);
        int count = options.read("--instances", instances, Numbers::instances, STAND_IN);
        Threads pool = threads == null && qps == null && latency == null ? null : pool(options);
        Capacity advice =
                options.build(() -> Capacity.advise(busy, count, pool), Capacity.advise(Percent.ZERO, STAND_IN, null));
        options.throwIfAny();
        return advice;
    }

    private Threads pool(OptionValues options) {
        Threads standIn = new Threads(1, 0, Duration.ZERO);
        int max = options.read("--threads", threads, Numbers::instances, 1);
        long requests = options.read("--qps", qps, Numbers::whole, 0L);
        Duration each = options.read("--latency", latency, DurationText::parse, Duration.ZERO);
        return options.build(() -> new Threads(max, requests, each), standIn);
    }
}
