package io.sluice.cli.terminal;

/** The exit codes that scripts depend on. */
public final class Exit {
    /** Done, or healthy. */
    public static final int OK = 0;

    /** Wrong usage, bad input, or a server that refused or did not answer; the reasons are on standard error. */
    public static final int REFUSED = 2;

    /** The guard found a breach, or something is not ready. */
    public static final int BREACH = 10;

    /** Too little data to say. */
    public static final int INSUFFICIENT_DATA = 11;

    private Exit() {}
}
