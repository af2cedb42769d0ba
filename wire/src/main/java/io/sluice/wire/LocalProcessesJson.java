package io.sluice.wire;

import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Names;
import io.sluice.core.tag.Color;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The processes that a server may start and stop, as a person writes them into a file. */
public final class LocalProcessesJson {
    private static final Duration STOP_WITHIN = Duration.ofSeconds(20);
    private static final Duration LONGEST_STOP = Duration.ofMinutes(10);
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

    private LocalProcessesJson() {}

    /** @throws RefusedException with every problem of the document, unknown fields among them */
    public static List<LocalProcess> readStrict(byte[] json) {
        return JsonText.readStrict(json, in -> {
            Set<String> names = new HashSet<>();
            Set<String> instances = new HashSet<>();
            Read<List<LocalProcess>> processes =
                    in.objects("processes", process -> readProcess(process, names, instances));
            Read<List<LocalProcess>> some = in.all("processes", () -> requireAny(processes.get()), processes);
            return in.end(some::get);
        });
    }

    private static LocalProcess readProcess(Fields in, Set<String> names, Set<String> instances) {
        Read<String> name = in.text("name", text -> requireNew(Names.requireId(text), names));
        Read<String> service = in.text("service", Names::requireService);
        Read<Optional<Color>> color =
                in.optional("color", Optional.empty(), field -> in.text(field, text -> Optional.of(Color.parse(text))));
        Read<String> instance = in.text("instance", text -> requireNew(Names.requireInstance(text), instances));
        Read<List<String>> parts = in.texts("command", LocalProcessesJson::requirePlain);
        Read<List<String>> command = in.all("command", () -> requireProgram(parts.get()), parts);
        Read<Optional<String>> directory = place(in, "directory");
        Read<Map<String, String>> environment = in.optional(
                "environment",
                Map.of(),
                field -> in.textMap(field, LocalProcessesJson::requireVariable, LocalProcessesJson::requirePlain));
        Read<Optional<String>> log = place(in, "log");
        Read<URI> ready = in.text("ready", LocalProcessesJson::requireHttp);
        Read<Duration> asked = in.optional("stopWithin", STOP_WITHIN, in::duration);
        Read<Duration> stopWithin = in.all("stopWithin", () -> requireShort(asked.get()), asked);
        return in.end(() -> new LocalProcess(
                name.get(),
                service.get(),
                color.get().orElse(null),
                instance.get(),
                command.get(),
                directory.get().orElse(null),
                environment.get(),
                log.get().orElse(null),
                ready.get(),
                stopWithin.get()));
    }

    private static Read<Optional<String>> place(Fields in, String field) {
        UnaryOperator<String> check = text -> require(!text.isEmpty(), requirePlain(text), "must be a path");
        return in.optional(field, Optional.empty(), any -> in.text(any, text -> Optional.of(check.apply(text))));
    }

    private static String requireNew(String text, Set<String> known) {
        return require(known.add(text), text, "must be there once");
    }

    private static String requirePlain(String text) {
        return require(text.indexOf('\0') < 0, text, "must have no character 0");
    }

    private static String requireVariable(String name) {
        return require(VARIABLE.matcher(name).matches(), name, "must match " + VARIABLE);
    }

    private static String require(boolean holds, String text, String allowed) {
        if (!holds) {
            throw new RefusedException("", text.isEmpty() ? "empty" : text, allowed);
        }
        return text;
    }

    private static List<LocalProcess> requireAny(List<LocalProcess> processes) {
        require(!processes.isEmpty(), "", "must have at least one process");
        return processes;
    }

    private static List<String> requireProgram(List<String> command) {
        require(!command.isEmpty() && !command.get(0).isEmpty(), "", "must begin with a program");
        return command;
    }

    private static Duration requireShort(Duration stopWithin) {
        boolean isShort = !stopWithin.isNegative() && stopWithin.compareTo(LONGEST_STOP) <= 0;
        require(isShort, DurationText.format(stopWithin), "must be within 0s..10m");
        return stopWithin;
    }

    private static URI requireHttp(String text) {
        try {
            URI uri = new URI(text);
            boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (isHttp && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getPort() <= 65_535) {
                return uri;
            }
        } catch (URISyntaxException noAddress) {
            // Said below.
        }
        throw new RefusedException(
                "", text.isEmpty() ? "empty" : text, "must be like http://127.0.0.1:8081/actuator/health");
    }
}
