package io.sluice.cli.terminal;

/**
 * One line of input.
 *
 * @param number counted from 1
 * @param text without its end; empty when it cannot be read
 * @param flaw why it cannot be read; empty when it can
 */
public record Line(long number, String text, String flaw) {
    public boolean isReadable() {
        return flaw.isEmpty();
    }

    /** What to show of it in a problem. */
    String shown() {
        if (!isReadable()) {
            return flaw;
        }
        return text.isEmpty() ? "empty" : text;
    }
}
