package io.sluice.cli.demo;

import java.io.IOException;

/** How the demo shows a release while it runs. */
interface View {
    /** Shows a moment, or leaves it out. Called about once a second. */
    void show(Moment moment) throws IOException;
}
