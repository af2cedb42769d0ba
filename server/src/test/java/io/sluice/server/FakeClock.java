package io.sluice.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** The wall clock of one process, which a test sets forward and back while its monotonic clock goes on. */
final class FakeClock {
    /** What a test that uses this needs; the library comes with it. */
    static final String PROGRAM = "/usr/bin/faketime";

    static final String INSTALL = "apt-get install faketime";

    private final Path file;

    FakeClock(Path file) {
        this.file = file;
        jump(Duration.ZERO);
    }

    /** For a process that shall have this clock. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                library().toString(),
                "FAKETIME_TIMESTAMP_FILE",
                file.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "DONT_FAKE_MONOTONIC",
                "1",
                // Or no wait of a JVM's lasts: the library mends a fault of an old libc by which they waited on the
                // wrong clock.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
    }

    /** From now on it is this far from the true time. */
    void jump(Duration offset) {
        try {
            Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text(offset));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String text(Duration offset) {
        return (offset.isNegative() ? "" : "+") + offset.toSeconds();
    }

    private static Path library() {
        try (Stream<Path> found =
                Files.find(Path.of("/usr/lib"), 3, (path, is) -> path.endsWith("faketime/libfaketimeMT.so.1"))) {
            return found.findFirst().orElseThrow(() -> new IllegalStateException("no libfaketimeMT.so.1"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
