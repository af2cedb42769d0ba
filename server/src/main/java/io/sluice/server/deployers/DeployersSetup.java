package io.sluice.server.deployers;

import io.sluice.core.channel.Deployer;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.server.outbound.Outbound;
import io.sluice.wire.LocalProcess;
import io.sluice.wire.LocalProcessesJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The deployers and the checks that the flags ask for. What is wrong with them is said before anything is served. */
@Configuration(proxyBeanMethods = false)
class DeployersSetup {
    private static final Duration WEBHOOK_EVERY = Duration.ofSeconds(3);
    private static final Duration CHECK_EVERY = Duration.ofSeconds(2);
    private static final long LARGEST_FILE = 1 << 20;

    @Bean
    @Lazy(false)
    Deployers deployers(
            @Value("${sluice.processes:}") String processes,
            @Value("${sluice.data:.sluice/server}") String data,
            @Value("${sluice.webhook.url:}") String webhook,
            @Value("${sluice.webhook.secret-file:}") String secretFile,
            InstantSource clock) {
        SortedMap<String, Deployer> byName = new TreeMap<>();
        byName.put("manual", new ManualDeployer());
        if (!webhook.isEmpty()) {
            byName.put("webhook", webhook(URI.create(webhook), Path.of(secretFile), clock));
        }
        if (!processes.isEmpty()) {
            byName.put("processes", processes(Path.of(processes).toAbsolutePath(), Path.of(data)));
        }
        return new Deployers(byName);
    }

    private static Deployer webhook(URI url, Path secretFile, InstantSource clock) {
        ExecutorService connections = Executors.newFixedThreadPool(2, task -> {
            Thread thread = new Thread(task, "sluice-webhook");
            thread.setDaemon(true);
            return thread;
        });
        return new WebhookDeployer(
                url,
                Signature.from(secretFile),
                new Outbound(WebhookDeployer.LONGEST, WebhookDeployer.LARGEST, connections),
                WEBHOOK_EVERY,
                clock,
                System::nanoTime);
    }

    private static Deployer processes(Path file, Path data) {
        return new ProcessDeployer(read(file), Objects.requireNonNull(file.getParent()), data);
    }

    private static List<LocalProcess> read(Path file) {
        Problems problems = new Problems();
        List<LocalProcess> processes = problems.part("--processes", () -> {
            try {
                if (Files.size(file) > LARGEST_FILE) {
                    throw new RefusedException("", file.toString(), "must have at most 1 MiB");
                }
                return LocalProcessesJson.readStrict(Files.readAllBytes(file));
            } catch (IOException unreadable) {
                throw new RefusedException("", file.toString(), "must be a file to read");
            }
        });
        problems.throwIfAny();
        return Objects.requireNonNull(processes);
    }

    @Bean
    @Lazy(false)
    HttpVerification verification(
            @Value("${sluice.checks.allowed:}") List<String> allowed,
            @Value("${sluice.look-every:PT1S}") Duration lookEvery) {
        return new HttpVerification(
                AllowedPlaces.of(allowed, InetAddress::getAllByName),
                CHECK_EVERY,
                lookEvery.multipliedBy(2).plusSeconds(1),
                System::nanoTime);
    }
}
