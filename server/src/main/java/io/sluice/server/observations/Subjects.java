package io.sluice.server.observations;

import io.sluice.core.channel.ChannelRelease;
import io.sluice.core.channel.ChannelStore;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseStore;
import io.sluice.core.release.Subject;
import java.util.Optional;

/** What is watched of a release, of whatever strategy, as it is saved now. */
@FunctionalInterface
interface Subjects {
    Optional<Subject> of(String release);

    static Subjects of(ReleaseStore releases, ChannelStore channels) {
        return id -> releases.find(id)
                .map(Release::subject)
                .or(() -> channels.find(id).flatMap(ChannelRelease::subject));
    }
}
