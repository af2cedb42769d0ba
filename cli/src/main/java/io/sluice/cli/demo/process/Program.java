package io.sluice.cli.demo.process;

import java.nio.file.Path;
import java.util.ArrayList;
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
 * @param ending how it is ended
 */
public record Program(
        String name,
        Path jar,
        String mainClass,
        List<String> arguments,
        Map<String, String> environment,
        int heapMegabytes,
        int port,
        Readiness readiness,
        Ending ending) {
    private static final String SUPERVISED = "io.sluice.demo.supervise.Supervised";

    public Program {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    /** One that is killed at its end. */
    public Program(
            String name,
            Path jar,
            String mainClass,
            List<String> arguments,
            Map<String, String> environment,
            int heapMegabytes,
            int port,
            Readiness readiness) {
        this(name, jar, mainClass, arguments, environment, heapMegabytes, port, readiness, Ending.KILLED);
    }

    /**
     * The command that runs it in a process of its own.
     *
     * @param supervisor the jar with the class that ends it when somebody else has ended
     * @param master whose end that is
     */
    public List<String> command(Path supervisor, long master) {
        List<String> command = command(supervisor);
        command.add(1, "-Dsupervised.by=" + master);
        return command;
    }

    /** The command that runs it in a process that ends when its parent does. */
    List<String> command(Path supervisor) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                "-Xss512k",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                supervisor + System.getProperty("path.separator") + jar));
        if (ending == Ending.KILLED) {
            command.add(SUPERVISED);
        }
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    String logName() {
        return name.replace(' ', '-') + ".log";
    }
}
