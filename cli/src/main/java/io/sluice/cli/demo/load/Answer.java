package io.sluice.cli.demo.load;

import java.util.List;

/**
 * What came of one visit. Times are {@link System#nanoTime()}.
 *
 * @param status the HTTP status; 0 when no answer came
 * @param trace who took part, as far as the answer tells
 */
public record Answer(Visit visit, long sentNanos, long answeredNanos, int status, List<Hop> trace) {
    private static final int OK = 200;

    public Answer {
        trace = List.copyOf(trace);
    }

    public boolean isLost() {
        return status == 0;
    }

    public boolean isFailed() {
        return status != OK;
    }

    public long latencyNanos() {
        return answeredNanos - sentNanos;
    }
}
