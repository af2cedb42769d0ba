package io.sluice.server.leadership;

/** This server acted as the leader, but another one has led meanwhile. Nothing was saved. */
public final class LeadershipLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LeadershipLostException(long held, long now) {
        super("acted as the leader of epoch " + held + ", but epoch " + now + " has begun; nothing was saved");
    }
}
