package io.sluice.cli.demo.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** How much memory processes hold, as the Linux kernel counts it; zero where there is no {@code /proc}. */
final class ResidentMemory {
    private static final String LABEL = "VmRSS:";
    private static final long KIBIBYTE = 1024;

    private ResidentMemory() {}

    /** The sum over processes; pages that they share count for each. */
    static long bytes(LongStream pids) {
        return pids.map(ResidentMemory::bytes).sum();
    }

    private static long bytes(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", String.valueOf(pid), "status"))) {
            return lines.filter(line -> line.startsWith(LABEL))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE)
                    .sum();
        } catch (IOException | UncheckedIOException gone) {
            return 0;
        }
    }
}
