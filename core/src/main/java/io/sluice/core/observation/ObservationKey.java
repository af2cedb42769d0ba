package io.sluice.core.observation;

import io.sluice.core.decision.Lane;

/**
 * What a tally is about.
 *
 * @param release the release
 * @param step the release's step under which the requests began, so that stages never mix
 * @param lane the side that served them
 */
public record ObservationKey(String release, long step, Lane lane) {}
