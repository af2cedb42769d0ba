package io.sluice.server.metrics;

/** A source gave nothing that a metric could be judged by. The message says what it gave, for people. */
final class SourceException extends Exception {
    private static final long serialVersionUID = 1L;

    SourceException(String got) {
        super(got);
    }
}
