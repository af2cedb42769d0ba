package io.sluice.server.releases;

import io.sluice.core.channel.Workloads;
import io.sluice.core.guard.Verdict;
import io.sluice.core.release.Command;
import io.sluice.core.release.Expected;
import io.sluice.core.release.Orchestrator;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.UnknownReleaseException;
import io.sluice.server.audit.Journal;
import io.sluice.server.channels.ChannelReleases;
import io.sluice.server.ledger.Ledger;
import io.sluice.server.ledger.Reach;
import io.sluice.server.ledger.ShownRelease;
import io.sluice.server.ledger.StepRecord;
import io.sluice.server.observations.Observations;
import io.sluice.wire.CommandRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** What operators do with releases; what follows from it is the orchestrator's business. */
@Service
class Releases {
    private final Orchestrator orchestrator;
    private final JdbcReleaseStore store;
    private final ChannelReleases channels;
    private final Ledger ledger;
    private final StepRecord steps;
    private final Journal journal;
    private final Observations observations;
    private final Workloads workloads;

    Releases(
            Orchestrator orchestrator,
            JdbcReleaseStore store,
            ChannelReleases channels,
            Ledger ledger,
            StepRecord steps,
            Journal journal,
            Observations observations,
            Workloads workloads) {
        this.orchestrator = orchestrator;
        this.store = store;
        this.channels = channels;
        this.ledger = ledger;
        this.steps = steps;
        this.journal = journal;
        this.observations = observations;
        this.workloads = workloads;
    }

    ReleaseView create(ReleaseSpec spec, String actor, String why) {
        return ReleaseView.of(orchestrator.create(spec, actor, why), Reach.NOBODY_NEEDED, null);
    }

    /** The newest first: that is what people come for. */
    List<ShownRelease> all() {
        Map<String, ShownRelease> shown = new HashMap<>();
        store.all().forEach(release -> shown.put(release.id(), view(release)));
        channels.all().forEach(release -> shown.put(release.id(), release));
        return ledger.newestFirst().stream()
                .flatMap(id -> Stream.ofNullable(shown.get(id)))
                .toList();
    }

    ShownRelease find(String id) {
        return store.find(id)
                .<ShownRelease>map(this::view)
                .or(() -> channels.find(id))
                .orElseThrow(() -> new UnknownReleaseException(id));
    }

    ShownRelease command(String id, Command command, String actor, CommandRequest request) {
        return isCanary(id)
                ? view(orchestrator.command(
                        id, command, actor, request.why(), new Expected(request.step(), request.phase())))
                : channels.command(id, command, actor, request);
    }

    ReleaseReport report(String id) {
        ShownRelease release = find(id);
        List<String> services = release instanceof ReleaseView canary ? canary.services() : channels.servicesOf(id);
        return ReleaseReport.of(
                release,
                steps.of(id),
                journal.of(id),
                step -> observations.totals(id, step),
                step -> observations.curves(id, step),
                services);
    }

    private boolean isCanary(String id) {
        String strategy = ledger.strategyOf(id).orElseThrow(() -> new UnknownReleaseException(id));
        return strategy.equals(Ledger.CANARY);
    }

    private ReleaseView view(Release release) {
        return ReleaseView.of(release, reach(release), verdict(release));
    }

    private Reach reach(Release release) {
        return release.rule().isEmpty() ? Reach.NOBODY_NEEDED : Reach.of(workloads.all(), ledger.published());
    }

    /** The newest verdict there is; after the end of a release, or of this process, the one that was written down. */
    private @Nullable Verdict verdict(Release release) {
        Verdict newest = orchestrator.verdict(release.id());
        return newest == null ? journal.lastVerdict(release.id()).orElse(null) : newest;
    }
}
