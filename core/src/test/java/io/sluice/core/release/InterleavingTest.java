package io.sluice.core.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.SampleSeen;
import io.sluice.core.guard.Seen;
import io.sluice.core.observation.SampleTally;
import io.sluice.core.observation.Tally;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Two control planes and their operators at once on one store, under many seeds. Wherever the one reads or writes the
 * store, the other may do something whole in between; so every order of their reads and writes comes up, on one thread.
 */
@Requirement({"F20", "F21", "F31"})
class InterleavingTest {
    private static final int SEEDS = 3_000;
    private static final List<Percent> PLANNED =
            SampleRelease.PLAN.stages().stream().map(Stage::percent).toList();
    private static final List<Command> COMMANDS = List.of(Command.values());
    private static final List<Tally> EVIDENCE = List.of(
            SampleTally.of(100, 0, Duration.ofMillis(20), Duration.ofMillis(300)),
            SampleTally.of(100, 0, Duration.ofMillis(20), Duration.ofMillis(300)),
            SampleTally.of(10, 0, Duration.ofMillis(20), Duration.ofMillis(300)),
            SampleTally.of(100, 6, Duration.ofMillis(20), Duration.ofMillis(300)));

    @Test
    void anAbortIsFinalWhateverElseHappensAtTheSameTime() {
        int aborted = 0;
        int raced = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed, SampleRelease.PLAN);
            world.run();
            aborted += world.acknowledged == null ? 0 : 1;
            raced += world.lostRaces;
        }

        assertThat(aborted).as("seeds that aborted").isGreaterThan(SEEDS / 2);
        assertThat(raced).as("saves that lost a race").isGreaterThan(SEEDS / 10);
    }

    @Requirement("B9")
    @Test
    void everyStepBackIsCountedOnceWhateverElseHappensAtTheSameTime() {
        Plan plan = SampleRelease.plan(SampleRelease.steppingBack(2));
        int stepBacks = 0;
        int raced = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed, plan);
            world.run();
            stepBacks += world.saved.find("r1").orElseThrow().stepBacks();
            raced += world.lostRaces;
        }

        assertThat(stepBacks).as("steps back").isGreaterThan(SEEDS / 10);
        assertThat(raced).as("saves that lost a race").isGreaterThan(SEEDS / 10);
    }

    private static final class World implements ReleaseStore {
        private final InMemoryReleaseStore saved = new InMemoryReleaseStore();
        private final InMemoryRuleSource rules = new InMemoryRuleSource();
        private final SettableClock clock = SettableClock.create();
        private final Random random;
        private final int seed;
        private final Plan plan;
        private final List<Orchestrator> orchestrators;
        private boolean interrupted = true;
        private int lostRaces;
        private Phase acknowledged;

        private World(int seed, Plan plan) {
            this.seed = seed;
            this.plan = plan;
            this.random = new Random(seed);
            this.orchestrators = List.of(orchestrator(), orchestrator());
            rules.subscribe(this::check);
        }

        private void run() {
            orchestrators.get(0).create(SampleRelease.spec(plan, "r1", "order"), "alice", "");
            orchestrators.get(0).command("r1", Command.START, "alice", "", Expected.anything());
            interrupted = false;
            for (int i = 0; i < 40; i++) {
                act(orchestrators.get(0));
                check(rules.current());
            }
            orchestrators.forEach(Orchestrator::look);
            check(rules.current());
            assertThat(entries("abort")).as("abort entries, seed %d", seed).isEqualTo(acknowledged == null ? 0 : 1);
            int stepBacks = saved.find("r1").orElseThrow().stepBacks();
            assertThat(entries("step-back"))
                    .as("step-back entries, seed %d", seed)
                    .isEqualTo(stepBacks);
            assertThat(stepBacks).as("steps back, seed %d", seed).isLessThanOrEqualTo(2);
        }

        /** One look or one command, from beginning to end but for what happens in between. */
        private void act(Orchestrator orchestrator) {
            clock.advance(Duration.ofMillis(random.nextInt(6_000)));
            if (random.nextInt(3) > 0) {
                orchestrator.look();
            } else {
                Command command = COMMANDS.get(random.nextInt(COMMANDS.size()));
                Long expectedStep = random.nextBoolean() ? null : (long) random.nextInt(6);
                try {
                    orchestrator.command("r1", command, "alice", "seed " + seed, new Expected(expectedStep, null));
                } catch (CommandRefusedException refused) {
                    // What is refused changes nothing, which is checked like everything else.
                }
            }
            noteAbort();
        }

        private void noteAbort() {
            Phase phase = saved.find("r1").orElseThrow().phase();
            if (acknowledged != null) {
                assertThat(phase).as("seed %d", seed).isEqualTo(acknowledged);
            } else if (phase instanceof Phase.Aborted) {
                acknowledged = phase;
                // Whoever saved it has published it too by the time that its call returned, or the next look does.
                orchestrators.forEach(this::publish);
            }
        }

        private void publish(Orchestrator orchestrator) {
            boolean before = interrupted;
            interrupted = true;
            orchestrator.look();
            interrupted = before;
        }

        private void check(RuleSet published) {
            ReleaseRule rule = published.release("r1");
            if (rule == null) {
                return;
            }
            assertThat(rule.isAborted() || PLANNED.contains(rule.split().percent()))
                    .as("a planned weight, seed %d", seed)
                    .isTrue();
            assertThat(acknowledged != null && !rule.isAborted())
                    .as("published away, seed %d", seed)
                    .isFalse();
        }

        private long entries(String action) {
            return saved.journal("r1").stream()
                    .filter(entry -> entry.action().equals(action))
                    .count();
        }

        private Orchestrator orchestrator() {
            return new Orchestrator(
                    this,
                    release -> Map.of("order", seen()),
                    MetricSource.none(),
                    new StatePublisher(this, rules),
                    clock,
                    () -> clock.instant().toEpochMilli() * 1_000_000);
        }

        private Seen seen() {
            Tally tally = EVIDENCE.get(random.nextInt(20) == 0 ? 3 : random.nextInt(3));
            return SampleSeen.of(tally, Duration.ZERO);
        }

        /** The other control plane gets in between, now and then. */
        private void interleave() {
            if (!interrupted && random.nextInt(4) == 0) {
                interrupted = true;
                act(orchestrators.get(1));
                interrupted = false;
            }
        }

        @Override
        public Optional<Release> find(String id) {
            interleave();
            Optional<Release> found = saved.find(id);
            interleave();
            return found;
        }

        @Override
        public List<Release> all() {
            interleave();
            List<Release> all = saved.all();
            interleave();
            return all;
        }

        @Override
        public void create(Release release, JournalEntry entry) {
            saved.create(release, entry);
        }

        @Override
        public boolean save(List<Release> next, List<JournalEntry> entries) {
            interleave();
            boolean won = saved.save(next, entries);
            lostRaces += won ? 0 : 1;
            interleave();
            return won;
        }
    }
}
