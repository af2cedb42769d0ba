package io.sluice.cli.demo.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What one process of the demo runs.
 *
 * @param name names it in messages, like {@code order v2.1.0}
 * @param jar its jar, whose manifest names the jars that it needs
 * @param mainClass where it starts
 * @param arguments what it is given on its command line
 * @param environment what it finds in its environment, besides the path and the like
 * @param heapMegabytes its largest heap
 * @param port where it answers
 * @param readiness how it shows that it can be used
 */
public record Program(
        String name,
        Path jar,
        String mainClass,
        List<String> arguments,
        Map<String, String> environment,
        int heapMegabytes,
        int port,
        Readiness readiness) {
    public Program {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    String logName() {
        return name.replace(' ', '-') + ".log";
    }
}
