package io.sluice.core.routing;

/** Which step of the fallback ladder a choice stands on. */
public enum Rung {
    /** Instances of the wanted version are there. */
    WANTED,
    /** None of the wanted version, so the stable ones serve. */
    FALLBACK_STABLE,
    /** Neither: fail fast. Some other version is never an answer. */
    NONE
}
