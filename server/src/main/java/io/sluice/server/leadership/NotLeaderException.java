package io.sluice.server.leadership;

/** Only the leader can make use of what was sent, and this server is none at present. Nothing was taken in. */
public final class NotLeaderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotLeaderException() {
        super("another server leads; reports go to the one whose /api/v1/leader answers 200");
    }
}
