package io.sluice.core.channel;

/**
 * A release of a channel at one moment. Immutable: each transition gives the next state, to be saved by compare-and-set.
 *
 * @param spec what was asked for
 * @param phase where it stands
 * @param roster the channel's instances when it started
 * @param scaled whether a side was made larger, by the release or by hand, and is to be made as large as it was
 * @param step counts its changes of weight
 * @param revision counts its saved states, from 1
 */
public record ChannelRelease(
        ChannelReleaseSpec spec, ChannelPhase phase, Roster roster, boolean scaled, long step, long revision) {
    /** A new release, not started. */
    public static ChannelRelease draft(ChannelReleaseSpec spec) {
        return new ChannelRelease(spec, new ChannelPhase.Draft(), Roster.empty(), false, 0, 1);
    }

    public String id() {
        return spec.id();
    }
}
