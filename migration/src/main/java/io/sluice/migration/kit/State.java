package io.sluice.migration.kit;

/** What both sides hold of a key; text where a side does not know it. */
record State(Object legacy, Object newer) {}
