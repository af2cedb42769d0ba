package io.sluice.cli.demo;

import io.sluice.cli.terminal.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/** Lines about how far the demo is, each with the time since its start. Delivered at once; for one thread. */
public final class Progress {
    private final Terminal terminal;
    private final long startedNanos = System.nanoTime();

    Progress(Terminal terminal) {
        this.terminal = terminal;
    }

    public void tell(String line) throws IOException {
        terminal.print("%7s  %s".formatted(seconds(sinceStart()), line));
        terminal.flush();
    }

    /** Writes text as it is. */
    public void write(String text) throws IOException {
        terminal.print(text);
        terminal.flush();
    }

    public Duration sinceStart() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    public static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0);
    }
}
