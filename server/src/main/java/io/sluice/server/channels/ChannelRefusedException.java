package io.sluice.server.channels;

/** Something cannot be done to a channel as it stands. Nothing happened. */
public final class ChannelRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ChannelRefusedException(String message) {
        super(message);
    }
}
