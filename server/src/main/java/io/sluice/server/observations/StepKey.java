package io.sluice.server.observations;

/** One weight of one release: what is seen under it never mixes with what is seen under another. */
record StepKey(String release, long step) {}
