package io.sluice.cli.demo.load;

/** A process that took part in an answer: the service it plays and the version it runs. */
public record Hop(String service, String version) {}
