package io.sluice.center;

/** Why something in a config centre left the rules as they were. */
public enum Refusal {
    /** The key was absent or empty. That says nothing: only a newer document without a release ends it. */
    ABSENT,
    /** It was no envelope, or there was no rule set in it. */
    MALFORMED,
    /** The checksum was another document's. */
    CHECKSUM,
    /** A key is configured, and the signature was missing or somebody else's. */
    SIGNATURE,
    /** The centre does not let us read. */
    DENIED
}
