package io.sluice.server.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.channel.ChannelPhase;
import io.sluice.core.channel.ChannelPhase.Batch.Part;
import io.sluice.core.channel.ChannelRelease;
import io.sluice.core.channel.ChannelReleaseSpec;
import io.sluice.core.channel.Roster;
import io.sluice.core.channel.Workload;
import io.sluice.core.decision.Percent;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Command;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.ReleaseStore.AlreadyExistsException;
import io.sluice.core.rule.Channel;
import io.sluice.core.tag.Color;
import io.sluice.server.Api;
import io.sluice.server.TestDatabase;
import io.sluice.server.audit.Journal;
import io.sluice.server.ledger.Ledger;
import io.sluice.server.ledger.StepRecord;
import io.sluice.server.releases.JdbcReleaseStore;
import io.sluice.server.releases.ReleaseStores;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import io.sluice.wire.ReleaseSpecJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the store of channel releases keeps on every database. */
abstract class JdbcChannelStoreContract {
    private static final Duration SEVEN = Duration.ofSeconds(7, 123_456_789);

    private final TestDatabase database = database();
    private final Journal journal = new Journal(database.jdbc());
    private final StepRecord steps = new StepRecord(database.jdbc(), SettableClock.create());
    private final ChannelTable channels = new ChannelTable(database.jdbc());
    private final JdbcChannelStore store = ChannelStores.of(database, journal, steps);
    private final JdbcReleaseStore canaries = ReleaseStores.of(database, journal, store, steps);

    /** An empty database. */
    abstract TestDatabase database();

    @BeforeEach
    void createChannel() {
        channels.insert(Channel.of("trade", List.of("inventory", "order")));
    }

    static Stream<ChannelPhase> phases() {
        return Stream.of(
                new ChannelPhase.Draft(),
                new ChannelPhase.Scaling(true, 2, SEVEN),
                new ChannelPhase.Scaling(false, 1, Duration.ZERO),
                new ChannelPhase.Draining(Color.BLUE, true),
                new ChannelPhase.Deploying(Color.GREEN, 3, SEVEN),
                new ChannelPhase.Verifying(Color.BLUE),
                new ChannelPhase.Opening(Color.GREEN, SEVEN),
                new ChannelPhase.Admitting(Color.BLUE, 1, SEVEN),
                new ChannelPhase.Confirming(),
                new ChannelPhase.Batch(2, List.of("order@a:1", "order@b:1"), Part.VERIFYING, 1, SEVEN),
                new ChannelPhase.Paused(new ChannelPhase.Admitting(Color.GREEN, 0, SEVEN), "line \"one\" 中文 😀"),
                new ChannelPhase.Returned("order: error_rate=0.0600>0.0200"),
                new ChannelPhase.Restoring(new ChannelPhase.Draining(Color.BLUE, false), ""),
                new ChannelPhase.Paused(
                        new ChannelPhase.Restoring(new ChannelPhase.Deploying(Color.BLUE, 1, SEVEN), "why"), "lunch"),
                new ChannelPhase.Completed(),
                new ChannelPhase.Aborted("no"));
    }

    @ParameterizedTest
    @MethodSource("phases")
    void everyPhaseIsReadBackEqual(ChannelPhase phase) {
        ChannelRelease draft = create("release");
        Roster roster = new Roster(List.of(
                new Roster.Member("order", "order@a:1", Color.BLUE, "v1"),
                new Roster.Member("order", "order@b:1", null, "v1.5")));
        ChannelRelease next = new ChannelRelease(draft.spec(), phase, roster, true, 3, 2, 1);

        assertThat(store.save(next, List.of())).isTrue();

        assertThat(ChannelStores.of(database, journal, steps).find("release")).hasValue(next);
        assertThat(store.open()).containsExactlyElementsOf(phase.isOver() ? List.of() : List.of(next));
        assertThat(canaries.find("release")).isEmpty();
        assertThat(canaries.all()).isEmpty();
    }

    @Test
    @Requirement("C3")
    void aServiceIsInOneReleaseWhateverItsStrategy() {
        create("release");
        createCanary("canary", "user");

        assertThatThrownBy(() -> createCanary("other", "order"))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessage("service order is in release release already; complete or abort that one first");
        channels.insert(Channel.of("people", List.of("user")));
        assertThatThrownBy(() -> create("second", "people", "user"))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessage("service user is in release canary already; complete or abort that one first");
        assertThat(store.find("second")).isEmpty();
        assertThat(journal.of("second")).isEmpty();
    }

    @Test
    void anIdIsUsedOnceWhateverTheStrategy() {
        createCanary("one", "user");
        create("two");

        assertThatThrownBy(() -> create("one")).hasMessageContaining("release one exists already");
        assertThatThrownBy(() -> createCanary("two", "coupon")).hasMessageContaining("release two exists already");
    }

    @Test
    void aChannelThatIsGoneHasNoRelease() {
        channels.delete("trade");

        assertThatThrownBy(() -> create("release")).isInstanceOf(UnknownChannelException.class);
    }

    @Test
    @Requirement("D1")
    void theRevisionRisesWithWhatProcessesMustKnowAndOnlyThen() {
        ChannelRelease draft = create("release");
        assertThat(canaries.ruleSet().revision()).isZero();
        assertThat(canaries.ruleSet().channels()).containsExactly(Channel.of("trade", List.of("inventory", "order")));

        ChannelRelease started = save(draft.on(Command.START, "", this::fleet));
        assertThat(canaries.ruleSet().revision()).isEqualTo(1);
        assertThat(store.published().revision()).isEqualTo(1);
        assertThat(canaries.ruleSet().channels().get(0).flow())
                .isEqualTo(started.flow().orElseThrow());

        ChannelRelease paused = save(started.on(Command.PAUSE, "lunch", this::fleet));
        assertThat(canaries.ruleSet().revision()).isEqualTo(1);

        save(new ChannelRelease(paused.spec(), new ChannelPhase.Completed(), paused.roster(), false, 2, 4));
        assertThat(canaries.ruleSet().revision()).isEqualTo(2);
        assertThat(canaries.ruleSet().channels().get(0).isInRelease()).isFalse();
        assertThat(createCanary("next", "order").id()).isEqualTo("next");
    }

    @Test
    void aStartRetiresTheCanariesOfItsServicesThatAreOver() {
        Release started = saveCanary(createCanary("canary", "order").on(Command.START, ""));
        saveCanary(started.on(Command.ABORT, "no"));
        assertThat(canaries.ruleSet().releases()).hasSize(1);
        ChannelRelease draft = create("release");

        save(draft.on(Command.START, "", this::fleet));

        assertThat(canaries.find("canary").orElseThrow().retired()).isTrue();
        assertThat(canaries.ruleSet().releases()).isEmpty();
        assertThat(canaries.ruleSet().channels().get(0).isInRelease()).isTrue();
    }

    @Test
    @Requirement("F21")
    void whoIsSlowerSavesNothing() {
        ChannelRelease draft = create("release");
        ChannelRelease started = draft.on(Command.START, "", this::fleet);
        ChannelRelease aborted = draft.on(Command.ABORT, "stop", this::fleet);

        assertThat(store.save(aborted, List.of(entry("release", "abort")))).isTrue();
        assertThat(store.save(started, List.of(entry("release", "start")))).isFalse();

        assertThat(store.find("release")).hasValue(aborted);
        assertThat(journal.of("release"))
                .extracting(line -> line.entry().action())
                .containsExactly("create", "abort");
        assertThat(new Ledger(database.jdbc()).claimantOf("order")).isEmpty();
    }

    @Test
    void eachWeightIsOnRecordAsTheShareOfTheSideThatIsReleased() {
        ChannelRelease started = save(create("release").on(Command.START, "", this::fleet));
        ChannelRelease admitting = save(at(started, new ChannelPhase.Admitting(Color.BLUE, 0, Duration.ZERO), 2));

        save(at(admitting, new ChannelPhase.Admitting(Color.BLUE, 0, SEVEN), 2));

        assertThat(steps.of("release"))
                .extracting(StepRecord.Line::percent)
                .containsExactly(Percent.ZERO, Percent.of(10));
        assertThat(steps.of("release").get(1).watched()).isEqualTo(SEVEN);
        assertThat(steps.of("release").get(0).leftAt()).isNotNull();
    }

    @Requirement({"C3", "F28"})
    @Test
    void eachStepOfAWatchedRollingReleaseIsOnRecordAsTheShareOfTheNewVersion() {
        ChannelReleaseSpec spec = Samples.spec(Samples.guardedRolling("release", "trade", 2), "inventory", "order");
        ChannelRelease draft = ChannelRelease.draft(spec);
        store.create(draft, entry("release", "create"));

        ChannelRelease started = save(draft.on(Command.START, "", this::fleet));
        Channel draining = canaries.ruleSet().channels().get(0);
        ChannelRelease deploying = save(started.on(Command.PROMOTE, "", this::fleet));
        ChannelRelease opening = save(deploying.on(Command.PROMOTE, "", this::fleet));

        assertThat(store.find("release")).hasValue(opening);
        assertThat(draining.renewal()).isEqualTo(started.renewal().orElseThrow());
        assertThat(draining.resting()).hasSize(2);
        assertThat(canaries.ruleSet().channels().get(0).renewal())
                .isEqualTo(opening.renewal().orElseThrow());
        assertThat(canaries.ruleSet().revision()).isEqualTo(2);
        assertThat(steps.of("release"))
                .extracting(StepRecord.Line::percent)
                .containsExactly(Percent.ZERO, Percent.of(50));
        save(opening.on(Command.ABORT, "no", this::fleet));
        assertThat(steps.of("release")).hasSize(3);
    }

    @Requirement("C5")
    @Test
    void noMoreChannelsAreInReleaseThanARequestCanCarryColorsOf() {
        String name = "c".repeat(61);
        for (int i = 100; i < 154; i++) {
            channels.insert(Channel.of(name + i, List.of("service" + i)));
            create("release-" + i, name + i, "service" + i);
        }
        channels.insert(Channel.of(name + 154, List.of("service154")));

        assertThatThrownBy(() -> create("release-154", name + 154, "service154"))
                .isInstanceOf(RefusedException.class)
                .hasMessage(
                        "channel was 55 channels in blue-green release, but must be so few that a request can carry a"
                                + " color of each, 4096 characters with their names; complete or abort other releases first");
        assertThat(store.find("release-154")).isEmpty();
    }

    @Test
    void noReasonIsTooLongToBeSaved() {
        ChannelRelease started = save(create("release").on(Command.START, "", this::fleet));
        String why = "x".repeat(1023) + "\ud83d\ude00 and more";
        JournalEntry entry = new JournalEntry(Instant.EPOCH, "release", "guard", "abort", why, "y".repeat(70), null);

        ChannelRelease returned = at(started, new ChannelPhase.Returned(why), 1);

        assertThat(store.save(returned, List.of(entry))).isTrue();
        assertThat(store.find("release").orElseThrow().phase()).isEqualTo(new ChannelPhase.Returned("x".repeat(1023)));
    }

    private static ChannelRelease at(ChannelRelease release, ChannelPhase phase, long step) {
        return new ChannelRelease(
                release.spec(), phase, release.roster(), release.scaled(), step, release.revision() + 1);
    }

    private List<Workload> fleet() {
        List<Workload> fleet = new ArrayList<>();
        for (String service : List.of("inventory", "order")) {
            for (Color color : Color.values()) {
                fleet.add(Samples.workload(service, service + "@" + color.label() + ":1", color, "v1"));
            }
        }
        return fleet;
    }

    private ChannelRelease create(String id) {
        return create(id, "trade", "inventory", "order");
    }

    private ChannelRelease create(String id, String channel, String... services) {
        ChannelReleaseSpec spec = Samples.spec(Samples.blueGreen(id, channel, "1s"), services);
        ChannelRelease draft = ChannelRelease.draft(spec);
        store.create(draft, entry(id, "create"));
        return draft;
    }

    private ChannelRelease save(ChannelRelease next) {
        assertThat(store.save(next, List.of())).isTrue();
        return next;
    }

    private Release createCanary(String id, String service) {
        ReleaseSpec spec =
                ReleaseSpecJson.readStrict(Api.release(id, service, "10m").getBytes(StandardCharsets.UTF_8));
        Release draft = Release.draft(spec);
        canaries.create(draft, entry(id, "create"));
        return draft;
    }

    private Release saveCanary(Release next) {
        assertThat(canaries.save(List.of(next), List.of())).isTrue();
        return next;
    }

    private static JournalEntry entry(String release, String action) {
        return new JournalEntry(Instant.EPOCH, release, "somebody", action, "because", "outcome", null);
    }
}
