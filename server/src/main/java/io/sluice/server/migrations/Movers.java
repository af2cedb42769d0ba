package io.sluice.server.migrations;

import io.sluice.wire.migration.EvidenceReport;
import io.sluice.wire.migration.MoveProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The processes of each migration, as they were heard last: by which plan they route, and how far they are with moving.
 * In memory, since a process reports every two seconds. Safe for all threads.
 */
@Component
class Movers {
    private static final Duration REACHED = Duration.ofSeconds(10);
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);
    private static final int MOST = 1_000;

    private final LongSupplier nanoClock;

    // Guarded by this.
    private final Map<String, Map<String, Heard>> byMigration = new HashMap<>();

    @Autowired
    Movers() {
        this(System::nanoTime);
    }

    Movers(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    private record Heard(EvidenceReport report, long at) {}

    /**
     * A process.
     *
     * @param reached whether it was heard in the last ten seconds
     */
    record Process(
            String reporter,
            long planRevision,
            long directiveVersion,
            boolean reached,
            Duration unheard,
            Optional<MoveProgress> progress) {}

    synchronized void heard(String migration, EvidenceReport report) {
        Map<String, Heard> processes = byMigration.computeIfAbsent(migration, any -> new TreeMap<>());
        long now = nanoClock.getAsLong();
        processes.values().removeIf(heard -> now - heard.at > FORGOTTEN.toNanos());
        // Names may be invented where the data plane is open: those that are known stay.
        if (processes.size() < MOST || processes.containsKey(report.reporter())) {
            processes.put(report.reporter(), new Heard(report, now));
        }
    }

    /** Everybody who was heard in the last ten minutes, by name. */
    synchronized List<Process> of(String migration) {
        long now = nanoClock.getAsLong();
        List<Process> all = new ArrayList<>();
        byMigration.getOrDefault(migration, Map.of()).forEach((name, heard) -> {
            Duration unheard = Duration.ofNanos(now - heard.at);
            if (unheard.compareTo(FORGOTTEN) <= 0) {
                EvidenceReport report = heard.report;
                all.add(new Process(
                        name,
                        report.planRevision(),
                        report.directiveVersion(),
                        unheard.compareTo(REACHED) <= 0,
                        unheard,
                        report.progress()));
            }
        });
        return all;
    }
}
