package io.sluice.server.channels;

import io.sluice.core.channel.ChannelOrchestrator;
import io.sluice.core.channel.ChannelRelease;
import io.sluice.core.channel.ChannelReleaseSpec;
import io.sluice.core.channel.Workload;
import io.sluice.core.channel.Workloads;
import io.sluice.core.guard.Verdict;
import io.sluice.core.problem.Problems;
import io.sluice.core.release.Command;
import io.sluice.core.release.Expected;
import io.sluice.core.release.UnknownReleaseException;
import io.sluice.core.rule.Channel;
import io.sluice.server.audit.Journal;
import io.sluice.server.deployers.Deployers;
import io.sluice.server.deployers.HttpVerification;
import io.sluice.server.leadership.Leadership;
import io.sluice.server.ledger.Ledger;
import io.sluice.server.ledger.Reach;
import io.sluice.wire.ChannelReleaseRequest;
import io.sluice.wire.CommandRequest;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** What operators do with releases of channels; what follows from it is the orchestrator's business. */
@Service
public class ChannelReleases {
    private final ChannelOrchestrator orchestrator;
    private final JdbcChannelStore store;
    private final ChannelTable channels;
    private final Workloads workloads;
    private final Sides sides;
    private final Deployers deployers;
    private final HttpVerification verification;
    private final Journal journal;
    private final Leadership leadership;
    private final Ledger ledger;

    ChannelReleases(
            ChannelOrchestrator orchestrator,
            JdbcChannelStore store,
            ChannelTable channels,
            Workloads workloads,
            Sides sides,
            Deployers deployers,
            HttpVerification verification,
            Journal journal,
            Leadership leadership,
            Ledger ledger) {
        this.orchestrator = orchestrator;
        this.store = store;
        this.channels = channels;
        this.workloads = workloads;
        this.sides = sides;
        this.deployers = deployers;
        this.verification = verification;
        this.journal = journal;
        this.leadership = leadership;
        this.ledger = ledger;
    }

    /** @throws UnknownChannelException when there is no such channel */
    public ChannelReleaseView create(ChannelReleaseRequest request, String actor) {
        Channel channel =
                channels.find(request.channel()).orElseThrow(() -> new UnknownChannelException(request.channel()));
        Problems problems = new Problems();
        problems.part("", () -> {
            deployers.require("deployer", request.deployer());
            return true;
        });
        URI check = request.check().url();
        if (check != null) {
            problems.part("", () -> {
                verification.requireAllowed(check);
                return true;
            });
        }
        ChannelReleaseSpec spec = problems.part("", () -> request.spec(channel.services()));
        problems.throwIfAny();
        return view(orchestrator.create(Objects.requireNonNull(spec), actor, request.why()));
    }

    /** All of them, the oldest first. */
    public List<ChannelReleaseView> all() {
        return store.all().stream().map(this::view).toList();
    }

    public Optional<ChannelReleaseView> find(String id) {
        return store.find(id).map(this::view);
    }

    /** What is released together by one. @throws UnknownReleaseException when there is no such release */
    public List<String> servicesOf(String id) {
        return store.find(id)
                .orElseThrow(() -> new UnknownReleaseException(id))
                .spec()
                .services();
    }

    /**
     * Commands a release, by what the processes report; so only where they report to.
     *
     * @throws io.sluice.server.leadership.NotLeaderException when another server leads
     * @throws io.sluice.server.leadership.LeadershipLostException when another server has led meanwhile; nothing was saved
     */
    public ChannelReleaseView command(String id, Command command, String actor, CommandRequest request) {
        Expected expected = new Expected(request.step(), request.phase());
        return leadership.inTerm(() -> view(orchestrator.command(id, command, actor, request.why(), expected)));
    }

    private ChannelReleaseView view(ChannelRelease release) {
        List<Workload> all = workloads.all();
        List<Sides.Side> both = sides.of(JdbcChannelStore.rule(release));
        return ChannelReleaseView.of(
                release,
                both,
                all,
                Reach.of(all, ledger.published()),
                release.wayBack(() -> all),
                orchestrator.waitingFor(release.id()),
                SideLoad.of(release, both),
                verdict(release));
    }

    /** The newest verdict there is; after the end of a release, or of this process, the one that was written down. */
    private @Nullable Verdict verdict(ChannelRelease release) {
        Verdict newest = orchestrator.verdict(release.id());
        return newest == null ? journal.lastVerdict(release.id()).orElse(null) : newest;
    }
}
