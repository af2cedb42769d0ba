package io.sluice.cli.demo.process;

/** How a program of the demo is ended, whether by the demo or since the demo itself is gone. */
public enum Ending {
    /** At once, as kill -9 does: nothing that it holds is worth a farewell. */
    KILLED,
    /** By the end of its standard input, which it watches itself; and killed if that does not help. For what has to clean up. */
    ASKED
}
