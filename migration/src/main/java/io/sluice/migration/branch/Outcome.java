package io.sluice.migration.branch;

/** What became of a write. */
public enum Outcome {
    HAPPENED,
    /** And it will not happen any more. */
    DID_NOT_HAPPEN
}
