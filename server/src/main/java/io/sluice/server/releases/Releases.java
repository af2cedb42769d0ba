package io.sluice.server.releases;

import io.sluice.core.guard.Verdict;
import io.sluice.core.release.Command;
import io.sluice.core.release.Orchestrator;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.UnknownReleaseException;
import io.sluice.server.audit.Journal;
import io.sluice.server.observations.Observations;
import io.sluice.wire.CommandRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** What operators do with releases; what follows from it is the orchestrator's business. */
@Service
class Releases {
    private final Orchestrator orchestrator;
    private final JdbcReleaseStore store;
    private final StepRecord steps;
    private final Journal journal;
    private final Observations observations;

    Releases(
            Orchestrator orchestrator,
            JdbcReleaseStore store,
            StepRecord steps,
            Journal journal,
            Observations observations) {
        this.orchestrator = orchestrator;
        this.store = store;
        this.steps = steps;
        this.journal = journal;
        this.observations = observations;
    }

    ReleaseView create(ReleaseSpec spec, String actor, String why) {
        return ReleaseView.of(orchestrator.create(spec, actor, why), null);
    }

    /** The newest first: that is what people come for. */
    List<ReleaseView> all() {
        List<ReleaseView> views =
                new ArrayList<>(store.all().stream().map(this::view).toList());
        Collections.reverse(views);
        return views;
    }

    ReleaseView find(String id) {
        return store.find(id).map(this::view).orElseThrow(() -> new UnknownReleaseException(id));
    }

    ReleaseView command(String id, Command command, String actor, CommandRequest request) {
        return view(orchestrator.command(id, command, actor, request.why(), request.step()));
    }

    Optional<ReleaseReport> report(String id) {
        return store.find(id)
                .map(release -> ReleaseReport.of(
                        view(release),
                        steps.of(id),
                        journal.of(id),
                        step -> observations.totals(id, step),
                        step -> observations.curves(id, step),
                        release.spec().services()));
    }

    private ReleaseView view(Release release) {
        return ReleaseView.of(release, verdict(release));
    }

    /** The newest verdict there is; after the end of a release, or of this process, the one that was written down. */
    private @Nullable Verdict verdict(Release release) {
        Verdict newest = orchestrator.verdict(release.id());
        return newest == null ? journal.lastVerdict(release.id()).orElse(null) : newest;
    }
}
