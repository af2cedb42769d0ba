package io.sluice.server.deployers;

import static org.awaitility.Awaitility.await;

import io.sluice.core.channel.Deployer.Progress;
import io.sluice.core.tag.Color;
import io.sluice.wire.LocalProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Gives an order to a deployer, in a process of its own, so that it can be killed. */
public final class DeployerOwner {
    private DeployerOwner() {}

    static Process fork(TinyFleet fleet, String key, String version) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DeployerOwner.class.getName(),
                fleet.data().toString(),
                key,
                version));
        for (LocalProcess process : fleet.processes()) {
            command.add(process.name());
            command.add(process.ready().toString());
            command.add(String.join("\n", process.command()));
        }
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** @param args as {@link #fork} gives them */
    public static void main(String[] args) throws Exception {
        List<LocalProcess> processes = new ArrayList<>();
        for (int i = 3; i < args.length; i += 3) {
            URI ready = URI.create(args[i + 1]);
            processes.add(new LocalProcess(
                    args[i],
                    "order",
                    Color.BLUE,
                    "order@127.0.0.1:" + ready.getPort(),
                    List.of(args[i + 2].split("\n")),
                    null,
                    Map.of("SLUICE_VERSION", "${version}!"),
                    null,
                    ready,
                    Duration.ofSeconds(20)));
        }
        Path data = Path.of(args[0]);
        try (ProcessDeployer deployer = new ProcessDeployer(processes, data.getParent(), data)) {
            deployer.deploy(Orders.of(args[1], Orders.blue("order", args[2], processes.size())));
            System.out.print('!');
            System.out.flush();
            // For as long as it takes: whoever forked this decides when it ends.
            await().forever()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> !(deployer.deploy(Orders.of(args[1], Orders.blue("order", args[2], processes.size())))
                            instanceof Progress.Running));
            Thread.currentThread().join();
        }
    }
}
