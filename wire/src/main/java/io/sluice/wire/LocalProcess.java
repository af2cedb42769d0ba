package io.sluice.wire;

import io.sluice.core.tag.Color;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A process that a deployer may start and stop, as {@link LocalProcessesJson} has it. In {@code command} and in the values
 * of {@code environment} {@code ${version}} stands for the version that is deployed.
 *
 * @param name names it in files and messages
 * @param service whose instance it is
 * @param color the side it stands on; null outside of all channels
 * @param instance the name under which it reports, like {@code order@127.0.0.1:8081}
 * @param command the program and its arguments
 * @param directory where it runs, in the file system of whoever starts it; null for the directory of the document
 * @param environment what it finds in its environment, besides the path and the like
 * @param log where its output goes; null for a place that the deployer chooses
 * @param ready what answers with a status of 200..299 once it can be used
 * @param stopWithin how long it may take to end when it is asked to, until it is killed
 */
public record LocalProcess(
        String name,
        String service,
        @Nullable Color color,
        String instance,
        List<String> command,
        @Nullable String directory,
        Map<String, String> environment,
        @Nullable String log,
        URI ready,
        Duration stopWithin) {
    private static final String VERSION = "${version}";

    public LocalProcess {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    public List<String> command(String version) {
        return command.stream().map(part -> part.replace(VERSION, version)).toList();
    }

    public Map<String, String> environment(String version) {
        return environment.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().replace(VERSION, version)));
    }
}
