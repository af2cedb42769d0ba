package io.sluice.core.channel;

import io.sluice.core.problem.DurationWord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is measured over looks at one release: for how long everybody has known the rules, and since when a drained
 * instance has had no request. In memory only: after a restart it starts over, which costs time and no safety. Used by one
 * thread.
 */
final class Attention {
    private final Map<String, Still> stills = new HashMap<>();
    private @Nullable String words;
    private ChannelStore.Published needed = new ChannelStore.Published(0, 0);
    private Duration settled = Duration.ZERO;
    private boolean wasSettled;
    private long lookedAt;

    /** Takes in what one look saw. @param now in nanoseconds, as of {@link System#nanoTime} */
    Sight look(ChannelRelease release, Fleet fleet, ChannelStore.Published published, Duration watched, long now) {
        String current = release.phase().at().words() + release.isRestoring();
        if (!current.equals(words)) {
            words = current;
            // Later rules that say the same of this release need not be waited for.
            needed = published;
            settled = Duration.ZERO;
            wasSettled = false;
            stills.clear();
            lookedAt = now;
        }
        List<String> unaware = fleet.unaware(needed);
        settle(unaware.isEmpty(), now);
        return new Sight(fleet, unaware, settled, stirring(release, fleet, now), null, "", null, null, watched);
    }

    private void settle(boolean isSettled, long now) {
        Duration since = Duration.ofNanos(Math.max(0, now - lookedAt));
        Duration counted =
                since.compareTo(ChannelOrchestrator.LONGEST_WATCH) > 0 ? ChannelOrchestrator.LONGEST_WATCH : since;
        lookedAt = now;
        settled = isSettled && wasSettled ? settled.plus(counted) : Duration.ZERO;
        wasSettled = isSettled;
    }

    private List<String> stirring(ChannelRelease release, Fleet fleet, long now) {
        List<String> stirring = new ArrayList<>();
        for (Workload workload : fleet.all()) {
            if (release.isDraining(workload)) {
                String why = stirring(workload, release.spec().waits().quiet(), now);
                if (why != null) {
                    stirring.add(workload.instance() + " " + why);
                }
            }
        }
        stirring.sort(null);
        return stirring;
    }

    private @Nullable String stirring(Workload workload, Duration quiet, long now) {
        Still still = stills.get(workload.instance());
        if (still == null || still.requests != workload.requests() || workload.underWay() > 0) {
            still = new Still(workload.requests(), now);
            stills.put(workload.instance(), still);
        }
        if (!workload.isReached()) {
            return "was " + Fleet.unheard(workload);
        }
        if (workload.registered()) {
            return "is still registered";
        }
        if (workload.underWay() > 0) {
            return "serves " + workload.underWay() + (workload.underWay() == 1 ? " request" : " requests");
        }
        // A report shows silence up to the moment when it was made, not up to now.
        Duration silent = Duration.ofNanos(now - still.since).minus(workload.unheard());
        return silent.compareTo(quiet) >= 0 ? null : "has been silent for less than " + DurationWord.of(quiet);
    }

    /** How many requests an instance had, and the look that was the first to see that. */
    private record Still(long requests, long since) {}
}
