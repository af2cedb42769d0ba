package io.sluice.cli.release;

import io.sluice.core.release.Command;

/** The commands that change a release, and whether the journal asks why. */
enum Steering {
    START(Command.START, false, "Starts a release at its first stage."),
    PAUSE(Command.PAUSE, true, "Stops a release on its stage; the guard goes on watching."),
    RESUME(Command.RESUME, false, "Lets a paused release go on."),
    PROMOTE(
            Command.PROMOTE,
            true,
            "Takes a release to its next stage or phase now, whatever the guard says; says yes where a human is asked."),
    BACK(Command.BACK, true, "Takes a release back one stage and pauses it there."),
    ABORT(
            Command.ABORT,
            true,
            "Takes all traffic back, at once and for good; refused with NO_WAY_BACK where nothing runs the old version.");

    private final Command command;
    private final boolean whyRequired;
    private final String description;

    Steering(Command command, boolean whyRequired, String description) {
        this.command = command;
        this.whyRequired = whyRequired;
        this.description = description;
    }

    String label() {
        return command.label();
    }

    boolean isWhyRequired() {
        return whyRequired;
    }

    String description() {
        return description;
    }
}
