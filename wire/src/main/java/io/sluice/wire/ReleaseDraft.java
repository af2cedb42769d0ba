package io.sluice.wire;

import io.sluice.core.release.ReleaseSpec;

/**
 * A release request whose stages may be too short for the samples that they need.
 *
 * @param spec what is asked for, without {@code requestsPerSecond}
 * @param requestsPerSecond what each service gets in both lanes together, 1..10000000; 0 where it is not said
 */
public record ReleaseDraft(ReleaseSpec spec, long requestsPerSecond) {}
