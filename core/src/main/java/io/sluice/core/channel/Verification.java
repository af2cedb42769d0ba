package io.sluice.core.channel;

import java.net.URI;

/** Asks whether a deployed side is well. Safe for all threads, never blocks for long. */
@FunctionalInterface
public interface Verification {
    /** The newest answer to the check of a release; asked again in the background as long as somebody wants to know. */
    Answer ask(String release, URI url);

    /** @param ok whether the last answer was one of 200..299 */
    record Answer(boolean ok, String detail) {}
}
