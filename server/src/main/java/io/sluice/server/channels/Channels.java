package io.sluice.server.channels;

import io.sluice.core.channel.ChannelPhase;
import io.sluice.core.channel.ChannelRelease;
import io.sluice.core.channel.Deployer;
import io.sluice.core.channel.Workload;
import io.sluice.core.channel.Workloads;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.RulePublisher;
import io.sluice.core.rule.Channel;
import io.sluice.core.tag.Color;
import io.sluice.server.audit.Journal;
import io.sluice.server.deployers.Deployers;
import io.sluice.server.ledger.Ledger;
import io.sluice.server.ledger.Room;
import io.sluice.wire.ChannelRequest;
import io.sluice.wire.ScaleRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/** What operators do with channels. */
@Service
class Channels {
    private final ChannelTable table;
    private final JdbcChannelStore releases;
    private final Ledger ledger;
    private final Room room;
    private final Journal journal;
    private final TransactionTemplate transaction;
    private final RulePublisher publisher;
    private final Workloads workloads;
    private final Deployers deployers;
    private final Sides sides;
    private final InstantSource clock;

    // The last order by hand of each channel, to be asked how far it is.
    private final Map<String, Scaling> scalings = new ConcurrentHashMap<>();

    Channels(
            ChannelTable table,
            JdbcChannelStore releases,
            Ledger ledger,
            Room room,
            Journal journal,
            TransactionTemplate transaction,
            RulePublisher publisher,
            Workloads workloads,
            Deployers deployers,
            Sides sides,
            InstantSource clock) {
        this.table = table;
        this.releases = releases;
        this.ledger = ledger;
        this.room = room;
        this.journal = journal;
        this.transaction = transaction;
        this.publisher = publisher;
        this.workloads = workloads;
        this.deployers = deployers;
        this.sides = sides;
        this.clock = clock;
    }

    /** An order that was given by hand. */
    private record Scaling(Deployer deployer, Deployer.Order order) {
        ChannelView.Order view() {
            return ChannelView.Order.of(order, deployer.deploy(order));
        }
    }

    List<ChannelView> all() {
        return releases.channels().stream().map(this::view).toList();
    }

    ChannelView find(String id) {
        return releases.channels().stream()
                .filter(channel -> channel.id().equals(id))
                .findFirst()
                .map(this::view)
                .orElseThrow(() -> new UnknownChannelException(id));
    }

    /** @throws ChannelRefusedException when the id is taken, or a service is in another channel */
    ChannelView create(ChannelRequest request, String actor) {
        Channel channel = request.channel();
        try {
            transaction.executeWithoutResult(status -> {
                ledger.oneAtATime();
                table.insert(channel);
                room.requireForChannels();
                ledger.raiseRevision();
                String outcome = channel.services().size() + " services";
                note(Journal.SERVER, actor, "channel", channel.id() + ": " + request.why(), outcome);
            });
        } catch (DuplicateKeyException taken) {
            throw alreadyExists(channel, taken);
        }
        publisher.publish();
        return view(channel);
    }

    private ChannelRefusedException alreadyExists(Channel channel, DuplicateKeyException taken) {
        if (table.find(channel.id()).isPresent()) {
            return new ChannelRefusedException("channel " + channel.id() + " exists already");
        }
        for (String service : channel.services()) {
            Optional<String> other = table.channelOf(service);
            if (other.isPresent()) {
                return new ChannelRefusedException("service " + service + " is in channel " + other.get()
                        + " already, and a service is in one channel at most");
            }
        }
        // The other one was deleted between our insert and this look.
        throw taken;
    }

    /** @throws ChannelRefusedException while it has a release that is not over */
    void delete(String id, String actor) {
        transaction.executeWithoutResult(status -> {
            if (!table.lock(id)) {
                throw new UnknownChannelException(id);
            }
            open(id).ifPresent(release -> {
                throw new ChannelRefusedException("channel " + id + " has release " + release.id()
                        + ", which is not over; complete or abort that one first");
            });
            table.delete(id);
            ledger.raiseRevision();
            note(Journal.SERVER, actor, "delete-channel", id, "deleted");
        });
        publisher.publish();
    }

    /**
     * Gives a deployer an order to have another number of instances.
     *
     * @throws ChannelRefusedException while the channel is in a release, unless it is to be overridden
     */
    ChannelView.Order scale(String id, ScaleRequest request, String actor) {
        Channel channel = table.find(id).orElseThrow(() -> new UnknownChannelException(id));
        if (!channel.covers(request.service())) {
            throw new RefusedException(
                    "service", request.service(), "must be one of " + String.join(", ", channel.services()));
        }
        deployers.require("deployer", request.deployer());
        Deployer deployer = deployers.get(request.deployer()).orElseThrow();
        String version = version(request);
        Deployer.Order order = new Deployer.Order(
                "scale-" + UUID.randomUUID(),
                open(id).map(ChannelRelease::id).orElse(""),
                id,
                List.of(new Deployer.Target(
                        request.service(), request.color(), version, request.instances(), List.of())));
        record(channel, request, actor);
        Scaling scaling = new Scaling(deployer, order);
        ChannelView.Order begun = scaling.view();
        scalings.put(id, scaling);
        return begun;
    }

    /** Saved before the deployer hears of it, so that an override is never forgotten at the end. */
    private void record(Channel channel, ScaleRequest request, String actor) {
        String what = request.service() + " " + request.color().label() + ": " + request.instances() + " instances";
        while (true) {
            Optional<ChannelRelease> open = open(channel.id());
            if (open.isEmpty() || open.get().phase() instanceof ChannelPhase.Draft) {
                transaction.executeWithoutResult(
                        status -> note(Journal.SERVER, actor, "scale", channel.id() + ": " + request.why(), what));
                return;
            }
            ChannelRelease release = open.get();
            if (!request.override()) {
                throw new ChannelRefusedException("channel " + channel.id() + " is in release " + release.id()
                        + "; scale it afterwards, or with override, which is undone at its end");
            }
            JournalEntry entry = entry(release.id(), actor, "scale", request.why(), what);
            if (releases.save(overridden(release), List.of(entry))) {
                return;
            }
        }
    }

    /** It is made as large as it was at the end. */
    private static ChannelRelease overridden(ChannelRelease release) {
        return new ChannelRelease(
                release.spec(),
                release.phase(),
                release.roster(),
                true,
                release.step(),
                release.revision() + 1,
                release.stepBacks());
    }

    /** A release alone changes what a side runs; by hand it is only named where nothing runs yet. */
    private String version(ScaleRequest request) {
        String service = request.service();
        Color color = request.color();
        List<String> versions = workloads.all().stream()
                .filter(each -> each.service().equals(service) && each.color() == color)
                .map(Workload::version)
                .distinct()
                .sorted()
                .toList();
        if (versions.isEmpty() && !request.version().isEmpty()) {
            return request.version();
        }
        if (versions.size() == 1 && !request.version().isEmpty() && !versions.contains(request.version())) {
            throw new RefusedException(
                    "version",
                    request.version(),
                    "must be " + versions.get(0) + ", which the side runs; a release changes it");
        }
        if (versions.size() != 1) {
            throw new ChannelRefusedException(
                    "the " + color.label() + " side of " + service + " runs "
                            + (versions.isEmpty() ? "nothing that is known" : String.join(" and ", versions))
                            + ", so it is not known which version more instances would have to run; where nothing runs, name it as version");
        }
        return versions.get(0);
    }

    private Optional<ChannelRelease> open(String channel) {
        return releases.open().stream()
                .filter(release -> release.spec().channel().equals(channel))
                .findFirst();
    }

    private ChannelView view(Channel channel) {
        Scaling scaling = scalings.get(channel.id());
        return ChannelView.of(
                channel,
                open(channel.id()).map(ChannelRelease::id).orElse(null),
                sides.of(channel),
                scaling == null ? null : scaling.view());
    }

    private void note(String release, String actor, String action, String why, String outcome) {
        journal.append(entry(release, actor, action, why, outcome));
    }

    private JournalEntry entry(String release, String actor, String action, String why, String outcome) {
        int most = Math.min(outcome.length(), JdbcChannelStore.LONGEST_OUTCOME);
        return new JournalEntry(clock.instant(), release, actor, action, why, outcome.substring(0, most), null);
    }
}
