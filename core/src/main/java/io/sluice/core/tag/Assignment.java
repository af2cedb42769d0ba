package io.sluice.core.tag;

/**
 * A request's place on the canary of one release.
 *
 * @param release the id of the release that says so
 * @param version the version to be served by, wherever the release has it
 */
public record Assignment(String release, String version) {}
