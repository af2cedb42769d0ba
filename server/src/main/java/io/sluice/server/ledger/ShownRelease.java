package io.sluice.server.ledger;

/** A release as the API shows it, of whatever strategy. */
public interface ShownRelease {
    String id();

    String strategy();

    String phase();
}
