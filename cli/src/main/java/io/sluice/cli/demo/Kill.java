package io.sluice.cli.demo;

import io.sluice.core.problem.RefusedException;

/** What the demo kills in the middle of the release, as {@code kill -9} does. */
enum Kill {
    NOTHING,
    /** The only instance of the new order: its requests must fall back to stable, and the release must not go on. */
    CANARY,
    /** The control plane, started again on its data: the release must go on from where it was. */
    SERVER;

    static Kill parse(String text) {
        return switch (text) {
            case "" -> NOTHING;
            case "canary" -> CANARY;
            case "server" -> SERVER;
            default -> throw new RefusedException("kill", text, "must be canary or server");
        };
    }
}
