package io.sluice.cli.channel;

import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
import io.sluice.cli.terminal.Numbers;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.decision.Percent;
import io.sluice.core.routing.ColorWeights;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice weights}: the weights in the registry that give blue its share. */
@Command(
        name = "weights",
        sortOptions = false,
        description = {
            "Prints the weight of each blue and each green instance that gives blue its share,",
            "and the share that whole numbers really give."
        },
        customSynopsis = "sluice weights --blue-percent R [--blue-instances N --green-instances M]",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:fine", "2:wrong usage, or no instance at all"})
public final class WeightsCommand implements Callable<Integer> {
    /** In basis points: the planner stays within that wherever there are instances of both colors. */
    private static final int HALF_A_POINT = 50;

    private final Terminal terminal;

    @Option(names = "--blue-percent", paramLabel = "R", description = "Blue's share, 0..100 with at most two decimals.")
    private @Nullable String bluePercent;

    @Option(
            names = "--blue-instances",
            paramLabel = "N",
            description = "How many are blue; as many of both unless given.")
    private @Nullable String blueInstances;

    @Option(names = "--green-instances", paramLabel = "M", description = "How many are green.")
    private @Nullable String greenInstances;

    public WeightsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        ColorWeights weights = weights();
        terminal.print(new JsonLine()
                .with("blue", weights.blue())
                .with("green", weights.green())
                .with("asked", new BigDecimal(weights.asked().number()))
                .with("achieved", new BigDecimal(weights.achieved().number()))
                .toString());
        int off = Math.abs(weights.asked().basisPoints() - weights.achieved().basisPoints());
        if (off > HALF_A_POINT) {
            terminal.say(
                    "note: " + weights.asked() + " can't be met with these instances, it is " + weights.achieved());
        }
        return Exit.OK;
    }

    private ColorWeights weights() {
        OptionValues options = new OptionValues();
        Percent share = options.read("--blue-percent", bluePercent, Numbers::percent, Percent.ZERO);
        boolean asMany = blueInstances == null && greenInstances == null;
        int blues = asMany ? 1 : options.read("--blue-instances", blueInstances, Numbers::instances, 1);
        int greens = asMany ? 1 : options.read("--green-instances", greenInstances, Numbers::instances, 1);
        options.require(
                blues + (long) greens > 0,
                "--blue-instances and --green-instances",
                "0",
                "must be at least one instance of either color");
        options.throwIfAny();
        return ColorWeights.plan(share, blues, greens);
    }
}
