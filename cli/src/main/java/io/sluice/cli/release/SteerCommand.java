package io.sluice.cli.release;

import io.sluice.cli.terminal.CommandFailedException;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice release start|pause|resume|promote|back|abort}: one command to a release, and the release after it. */
@Command(sortOptions = false)
final class SteerCommand implements Callable<Integer> {
    private static final String CONFIRMING = "confirming";

    private final Terminal terminal;
    private final Steering steering;

    @Parameters(paramLabel = "ID", description = "The release.")
    private String id = "";

    @Mixin
    private WhyOption why = new WhyOption();

    @Option(
            names = "--step",
            paramLabel = "N",
            description = "The step of the release that was seen; refused if it has another by now.")
    private @Nullable String step;

    @Option(
            names = "--phase",
            paramLabel = "WORD",
            description =
                    "The phase of a channel's release that was seen, like verifying; refused if it has another by now.")
    private @Nullable String phase;

    @Option(
            names = "--yes",
            description = "For promote: also where no way leads back, from a side that carries all traffic.")
    private boolean yes;

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ServerOption server = new ServerOption();

    SteerCommand(Terminal terminal, Steering steering) {
        this.terminal = terminal;
        this.steering = steering;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        String release = ServerOption.id(options, id);
        Map<String, Object> members = members(options);
        format.check(options);
        options.require(steering == Steering.PROMOTE || !yes, "--yes", "given", "must be left out but for promote");
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        String path = "/api/v1/releases/" + release;
        if (steering == Steering.PROMOTE) {
            addPhase(members, api.get(path));
        }
        for (String line : format.whole(api.post(path + "/" + steering.label(), ServerApi.body(members)))) {
            terminal.print(line);
        }
        return Exit.OK;
    }

    /** Whoever takes the last way back away has to say that this is what they mean. */
    private void addPhase(Map<String, Object> members, JsonNode release) {
        if (!ReleaseLine.isOfChannel(release)
                || !ReleaseLine.text(release, "phase").equals(CONFIRMING)) {
            return;
        }
        if (!yes) {
            throw new CommandFailedException("release " + ReleaseLine.text(release, "id")
                    + " is at its last moment with a way back: promote drains green and deploys "
                    + ReleaseLine.text(release, "version")
                    + " there, and after that nothing runs the old version; nothing was changed; to go on, give --yes");
        }
        // Also where another one was seen, which is refused then.
        members.putIfAbsent("phase", CONFIRMING);
    }

    private Map<String, Object> members(OptionValues options) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (steering.isWhyRequired()) {
            why.addRequiredTo(members, options);
        } else {
            why.addTo(members, options);
        }
        if (step != null) {
            members.put("step", options.read("--step", step, SteerCommand::wholeNumber, 0L));
        }
        if (phase != null) {
            options.require(phase.matches("[a-z-]{1,32}"), "--phase", phase, "must be a word like verifying");
            members.put("phase", phase);
        }
        return members;
    }

    private static long wholeNumber(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new RefusedException("", text.isEmpty() ? "empty" : text, "must be a whole number");
        }
        return Long.parseLong(text);
    }
}
