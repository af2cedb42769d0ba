package io.sluice.cli.demo.load;

/**
 * A process that took part in an answer.
 *
 * @param service the service it plays
 * @param version the version it runs
 * @param color the side of its channel that it stands on; empty for none
 */
public record Hop(String service, String version, String color) {
    /** One that stands on no side. */
    public Hop(String service, String version) {
        this(service, version, "");
    }
}
