package io.sluice.server.ledger;

import io.sluice.core.channel.ChannelStore.Published;
import io.sluice.core.channel.Workload;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which of the known processes rules have not reached, by their names. While anybody is named, nothing that was published is
 * complete: a process that is named may still decide by the rules of before.
 *
 * @param unapplied who is not known to decide by what is published for all that is saved, the unreached among them
 * @param unreached who was not heard of for ten seconds
 */
public record Reach(List<String> unapplied, List<String> unreached) {
    /** Of a release that processes need not know of. */
    public static final Reach NOBODY_NEEDED = new Reach(List.of(), List.of());

    /** @param published read after the release that this is shown with, so that it is not older */
    public static Reach of(List<Workload> known, Published published) {
        return new Reach(
                names(known, each -> !each.hasApplied(published.epoch(), published.revision())),
                names(known, each -> !each.isReached()));
    }

    private static List<String> names(List<Workload> known, Predicate<Workload> which) {
        return known.stream().filter(which).map(Workload::instance).toList();
    }
}
