package io.sluice.cli.demo;

import io.sluice.cli.terminal.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/** Lines about how far the demo is, each with the time since its start. Delivered at once; for one thread. */
final class Progress {
    private final Terminal terminal;
    private final long startedNanos = System.nanoTime();

    Progress(Terminal terminal) {
        this.terminal = terminal;
    }

    void tell(String line) throws IOException {
        terminal.print("%7s  %s".formatted(seconds(sinceStart()), line));
        terminal.flush();
    }

    /** Writes text as it is. */
    void write(String text) throws IOException {
        terminal.print(text);
        terminal.flush();
    }

    Duration sinceStart() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0);
    }
}
