package io.sluice.cli.release;

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

/** {@code sluice release start|pause|resume|promote|back|abort}: one command to a release, and the release after it. */
@Command(sortOptions = false)
final class SteerCommand implements Callable<Integer> {
    private static final int LONGEST_WHY = 500;
    private static final String WHY = "must say why, in at most " + LONGEST_WHY + " characters";

    private final Terminal terminal;
    private final Steering steering;

    @Parameters(paramLabel = "ID", description = "The release.")
    private String id = "";

    @Option(
            names = "--why",
            paramLabel = "TEXT",
            description = "For the journal; required for pause, promote, back and abort.")
    private @Nullable String why;

    @Option(
            names = "--step",
            paramLabel = "N",
            description = "The step of the release that was seen; refused if it has another by now.")
    private @Nullable String step;

    @Mixin
    private ServerOption server = new ServerOption();

    SteerCommand(Terminal terminal, Steering steering) {
        this.terminal = terminal;
        this.steering = steering;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        String release = ServerOption.releaseId(options, id);
        byte[] body = ServerApi.body(members(options));
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        terminal.print(ServerApi.line(api.post("/api/v1/releases/" + release + "/" + steering.label(), body)));
        return Exit.OK;
    }

    private Map<String, Object> members(OptionValues options) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (why != null || steering.isWhyRequired()) {
            members.put("why", options.read("--why", why, SteerCommand::reason, ""));
        }
        if (step != null) {
            members.put("step", options.read("--step", step, SteerCommand::wholeNumber, 0L));
        }
        return members;
    }

    private static String reason(String text) {
        if (text.isBlank() || text.length() > LONGEST_WHY) {
            throw new RefusedException("", text.isBlank() ? "empty" : text.length() + " characters", WHY);
        }
        return text;
    }

    private static long wholeNumber(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new RefusedException("", text.isEmpty() ? "empty" : text, "must be a whole number");
        }
        return Long.parseLong(text);
    }
}
