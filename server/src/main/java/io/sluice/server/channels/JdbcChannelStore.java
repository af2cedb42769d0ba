package io.sluice.server.channels;

import io.sluice.core.channel.ChannelPhase;
import io.sluice.core.channel.ChannelRelease;
import io.sluice.core.channel.ChannelReleaseSpec;
import io.sluice.core.channel.ChannelStore;
import io.sluice.core.channel.Strategy;
import io.sluice.core.decision.Percent;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.server.audit.Journal;
import io.sluice.server.leadership.Leadership;
import io.sluice.server.ledger.DiskSync;
import io.sluice.server.ledger.Ledger;
import io.sluice.server.ledger.Room;
import io.sluice.server.ledger.StepRecord;
import io.sluice.wire.ChannelReleaseSpecJson;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * Releases of channels in the database, among those of canaries. One transaction saves a change with everything that
 * follows from it: the journal entries, the claims on services, the record of weights, canaries of these services that
 * have to give way, and a higher revision of the rule set when processes must know something new.
 */
@Repository
public class JdbcChannelStore implements ChannelStore {
    private static final int LONGEST_WHY = 1024;
    static final int LONGEST_OUTCOME = 64;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final ChannelTable channels;
    private final Journal journal;
    private final Ledger ledger;
    private final Room room;
    private final StepRecord steps;
    private final DiskSync disk;
    private final Leadership leadership;

    // A spec never changes, and is asked for at every look.
    private final Map<String, ChannelReleaseSpec> specs = new ConcurrentReferenceHashMap<>();

    JdbcChannelStore(
            JdbcClient jdbc,
            TransactionTemplate transaction,
            ChannelTable channels,
            Journal journal,
            Ledger ledger,
            Room room,
            StepRecord steps,
            DiskSync disk,
            Leadership leadership) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.channels = channels;
        this.journal = journal;
        this.ledger = ledger;
        this.room = room;
        this.steps = steps;
        this.disk = disk;
        this.leadership = leadership;
    }

    @Override
    public Optional<ChannelRelease> find(String id) {
        return jdbc.sql("select * from releases where id = ? and strategy <> 'canary'")
                .param(id)
                .query(this::release)
                .optional();
    }

    @Override
    public List<ChannelRelease> open() {
        return jdbc.sql("select * from releases where strategy <> 'canary' and phase not in ('completed', 'aborted')"
                        + " order by created")
                .query(this::release)
                .list();
    }

    /** All channels as processes must know them now, in the order of their creation. */
    public List<Channel> channels() {
        Map<String, Channel> inRelease = new HashMap<>();
        open().forEach(release -> inRelease.put(release.spec().channel(), rule(release)));
        return channels.all().stream()
                .map(channel -> inRelease.getOrDefault(channel.id(), channel))
                .toList();
    }

    /** All releases of channels, the oldest first. */
    List<ChannelRelease> all() {
        return jdbc.sql("select * from releases where strategy <> 'canary' order by created")
                .query(this::release)
                .list();
    }

    /** A channel as a release has it. */
    static Channel rule(ChannelRelease release) {
        ChannelReleaseSpec spec = release.spec();
        return new Channel(
                spec.channel(),
                spec.services(),
                release.flow().orElse(null),
                release.resting(),
                release.renewal().orElse(null));
    }

    @Override
    public Published published() {
        return ledger.published();
    }

    /**
     * Saves a new release with its journal entry.
     *
     * @throws UnknownChannelException when its channel has gone meanwhile
     * @throws RefusedException when the rules of all releases would become too many bytes
     */
    @Override
    public void create(ChannelRelease release, JournalEntry entry) {
        ChannelReleaseSpec spec = release.spec();
        try {
            transaction.executeWithoutResult(status -> {
                ledger.oneAtATime();
                if (!channels.lock(spec.channel())) {
                    throw new UnknownChannelException(spec.channel());
                }
                insert(release);
                ledger.claim(spec.id(), spec.services());
                room.requireForChannels();
                room.requireForColors();
                journal.append(entry);
            });
        } catch (DuplicateKeyException taken) {
            throw ledger.alreadyExists(spec.id(), spec.services(), taken);
        }
    }

    @Override
    public boolean save(ChannelRelease next, List<JournalEntry> entries) {
        requireFewResting(next);
        boolean saved = Boolean.TRUE.equals(transaction.execute(status -> {
            leadership.requireStill();
            if (write(next, entries)) {
                return true;
            }
            status.setRollbackOnly();
            return false;
        }));
        if (saved && isTakenBack(next.phase())) {
            disk.sync();
        }
        return saved;
    }

    private boolean write(ChannelRelease after, List<JournalEntry> entries) {
        Optional<ChannelRelease> known = find(after.id());
        if (known.isEmpty() || known.get().revision() != after.revision() - 1 || !update(after)) {
            return false;
        }
        ChannelRelease before = known.get();
        if (after.phase().isOver()) {
            ledger.dropClaims(after.id());
        }
        boolean starts =
                before.phase() instanceof ChannelPhase.Draft && !after.phase().isOver();
        boolean retired = starts && ledger.retireCanaries(after.spec().services());
        if (retired || !rule(before).equals(rule(after))) {
            ledger.raiseRevision();
        }
        recordStep(before, after);
        for (JournalEntry entry : entries) {
            long seq = journal.append(kept(entry));
            if (entry.verdict() != null) {
                // A verdict is about what came before the change that followed from it.
                steps.judged(before.id(), before.step(), seq);
            }
        }
        return true;
    }

    private void recordStep(ChannelRelease before, ChannelRelease after) {
        Percent share = share(after);
        boolean moved = before.step() != after.step();
        if (moved || share == null) {
            steps.leave(before.id(), before.step(), Duration.ZERO);
        }
        if (moved && share != null) {
            steps.enter(after.id(), after.step(), share);
        }
        Duration more = held(after).minus(held(before));
        if (!moved && more.compareTo(Duration.ZERO) > 0) {
            steps.watched(after.id(), after.step(), more);
        }
    }

    /** The share of what is counted on canary: of the side that is let in, or of the instances with the new version. */
    private static @Nullable Percent share(ChannelRelease release) {
        Flow flow = release.flow().orElse(null);
        if (flow != null) {
            return flow.shareOf(flow.admitted());
        }
        return release.renewal().isPresent() ? release.renewedPercent() : null;
    }

    private static Duration held(ChannelRelease release) {
        ChannelPhase at = release.phase().at();
        if (at instanceof ChannelPhase.Admitting admitting) {
            return admitting.held();
        }
        boolean isWatched = release.renewal().isPresent();
        return isWatched && at instanceof ChannelPhase.Batch batch ? batch.taken() : Duration.ZERO;
    }

    private static boolean isTakenBack(ChannelPhase phase) {
        return phase instanceof ChannelPhase.Returned
                || phase instanceof ChannelPhase.Restoring
                || phase instanceof ChannelPhase.Aborted;
    }

    /** Refused before it starts, since later nobody could help it. */
    private static void requireFewResting(ChannelRelease next) {
        if (!(next.spec().strategy() instanceof Strategy.Rolling rolling)) {
            return;
        }
        int instances = next.roster().members().size();
        int most = (instances + rolling.batches() - 1) / rolling.batches();
        if (most > Room.MOST_RESTING) {
            throw new RefusedException(
                    "batches",
                    rolling.batches() + " for " + instances + " instances",
                    "must be so many that a batch has at most " + Room.MOST_RESTING + " instances");
        }
    }

    private void insert(ChannelRelease release) {
        ChannelReleaseSpec spec = release.spec();
        jdbc.sql("insert into releases (id, strategy, channel_id, spec, phase, why, state, step, retired, revision,"
                        + " step_backs) values (?, ?, ?, ?, ?, ?, ?, ?, false, ?, ?)")
                .params(spec.id(), spec.strategy().label(), spec.channel())
                .param(new String(ChannelReleaseSpecJson.write(spec), StandardCharsets.UTF_8))
                .param(release.phase().label())
                .param(why(release))
                .params(state(release), release.step(), release.revision(), release.stepBacks())
                .update();
    }

    private boolean update(ChannelRelease release) {
        return jdbc.sql("update releases set phase = ?, why = ?, state = ?, step = ?, revision = ?,"
                                + " step_backs = ? where id = ? and revision = ?")
                        .param(release.phase().label())
                        .param(why(release))
                        .params(state(release), release.step(), release.revision(), release.stepBacks())
                        .params(release.id(), release.revision() - 1)
                        .update()
                == 1;
    }

    private static @Nullable String why(ChannelRelease release) {
        String why = ChannelStateJson.why(release.phase());
        return why == null ? null : cut(why, LONGEST_WHY);
    }

    private static String state(ChannelRelease release) {
        return new ChannelStateJson(release.phase(), release.roster(), release.scaled()).write();
    }

    /** No note may be so long that what it is about cannot be saved. */
    private static JournalEntry kept(JournalEntry entry) {
        return new JournalEntry(
                entry.at(),
                entry.release(),
                entry.actor(),
                entry.action(),
                cut(entry.why(), LONGEST_WHY),
                cut(entry.outcome(), LONGEST_OUTCOME),
                entry.verdict());
    }

    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        boolean parted = Character.isHighSurrogate(text.charAt(longest - 1));
        return text.substring(0, parted ? longest - 1 : longest);
    }

    private ChannelRelease release(ResultSet row, int number) throws SQLException {
        String id = row.getString("id");
        ChannelReleaseSpec known = specs.get(id);
        ChannelReleaseSpec spec = known == null
                ? ChannelReleaseSpecJson.readSpec(row.getString("spec").getBytes(StandardCharsets.UTF_8))
                : known;
        specs.put(id, spec);
        ChannelStateJson state = ChannelStateJson.read(row.getString("state"));
        return new ChannelRelease(
                spec,
                state.phase(),
                state.roster(),
                state.scaled(),
                row.getLong("step"),
                row.getLong("revision"),
                row.getInt("step_backs"));
    }
}
