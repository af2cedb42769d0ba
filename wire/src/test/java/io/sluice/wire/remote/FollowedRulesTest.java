package io.sluice.wire.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.decision.Percent;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FollowedRulesTest {
    private static final int REVISIONS = 200;

    @TempDir
    Path temp;

    /**
     * Four sources bring two hundred revisions each, some of them twice; the fourth has another content for every tenth.
     * In a thousand orders the last is the newest, and the books say what became of each.
     */
    @Requirement("F5")
    @Test
    void theNewestWinsInWhateverOrderFourSourcesDeliver() {
        List<RuleSet> deliveries = deliveries();
        for (int seed = 0; seed < 1_000; seed++) {
            Collections.shuffle(deliveries, new Random(seed));
            FollowedRules rules = followed(null);
            List<RuleSet> heard = new ArrayList<>();
            rules.subscribe(heard::add);

            deliveries.forEach(rules::take);

            Books books = Books.of(deliveries);
            assertThat(rules.current()).as("seed %d", seed).isEqualTo(books.newest);
            assertThat(rules.current().revision()).isEqualTo(REVISIONS);
            assertThat(heard.subList(1, heard.size())).as("seed %d", seed).isEqualTo(books.applied);
            assertThat(rules.conflicts()).as("seed %d", seed).isEqualTo(books.conflicts);
            assertThat(rules.olderDocuments()).as("seed %d", seed).isEqualTo(books.older);
        }
    }

    /** What would have to come of the deliveries, found out the plain way: by revisions alone, one after the other. */
    private static final class Books {
        private final List<RuleSet> applied = new ArrayList<>();
        private RuleSet newest = RuleSet.empty();
        private long older;
        private long conflicts;

        static Books of(List<RuleSet> deliveries) {
            Books books = new Books();
            deliveries.forEach(books::take);
            return books;
        }

        private void take(RuleSet rules) {
            if (rules.revision() > newest.revision()) {
                newest = rules;
                applied.add(rules);
            } else if (rules.revision() < newest.revision()) {
                older++;
            } else if (!percentOf(rules).equals(percentOf(newest))) {
                conflicts++;
            }
        }

        private static Percent percentOf(RuleSet rules) {
            return rules.releases().get(0).split().percent();
        }
    }

    private static List<RuleSet> deliveries() {
        List<RuleSet> deliveries = new ArrayList<>();
        for (int source = 0; source < 4; source++) {
            for (int revision = 1; revision <= REVISIONS; revision++) {
                boolean isOther = source == 3 && revision % 10 == 0;
                deliveries.add(Rules.at(revision, isOther ? 99 : 10));
                if (revision % 7 == source) {
                    deliveries.add(Rules.at(revision, 10));
                }
            }
        }
        return deliveries;
    }

    /** Or a process would tell that it has applied what its next start has never heard of. */
    @Requirement("F2")
    @Test
    void rulesSettleOnceTheyAreOnTheDisk() {
        LastGoodFile file = LastGoodFile.in(temp, "order");
        FollowedRules rules = followed(file);
        List<Optional<RuleSet>> keptWhenHolding = new ArrayList<>();
        List<Optional<RuleSet>> keptWhenSettled = Collections.synchronizedList(new ArrayList<>());
        rules.subscribe(applied -> keptWhenHolding.add(file.load()));
        rules.settled().subscribe(applied -> keptWhenSettled.add(file.load()));

        take(rules, Rules.at(7, 10));
        take(rules, Rules.at(8, 10));

        Optional<RuleSet> none = Optional.empty();
        assertThat(keptWhenSettled).containsExactly(none, Optional.of(Rules.at(7, 10)), Optional.of(Rules.at(8, 10)));
        assertThat(keptWhenHolding).as("no disk delays them").containsExactly(none, none, Optional.of(Rules.at(7, 10)));
    }

    @Requirement("F2")
    @Test
    void rulesFromTheDiskAreSettled() {
        LastGoodFile.in(temp, "order").save(Rules.at(7, 10));
        FollowedRules rules = followed(LastGoodFile.in(temp, "order"));

        rules.load();

        assertThat(rules.current()).isEqualTo(Rules.at(7, 10));
        assertThat(rules.settled().current()).isEqualTo(Rules.at(7, 10));
    }

    @Requirement("F3")
    @Test
    void rulesThatCannotBeKeptHoldAndSettleAllTheSame() throws IOException {
        Path inTheWay = Files.writeString(temp.resolve("a-file"), "where the directory should be");
        FollowedRules rules = followed(LastGoodFile.in(inTheWay, "order"));

        take(rules, Rules.at(7, 10));

        assertThat(rules.current()).isEqualTo(Rules.at(7, 10));
        assertThat(rules.settled().current()).isEqualTo(Rules.at(7, 10));
        assertThat(rules.failedWrites()).isEqualTo(1);
    }

    @Requirement("F15")
    @Test
    void aListenerThatThrowsWhateverItIsHoldsUpNeitherOthersNorTheDisk() {
        FollowedRules rules = followed(LastGoodFile.in(temp, "order"));
        List<Long> heard = new ArrayList<>();
        List<Long> settled = Collections.synchronizedList(new ArrayList<>());
        rules.subscribe(applied -> deeper(0));
        rules.subscribe(applied -> {
            throw new IllegalStateException("on purpose");
        });
        rules.settled().subscribe(applied -> deeper(0));
        rules.subscribe(applied -> heard.add(applied.revision()));
        rules.settled().subscribe(applied -> settled.add(applied.revision()));

        take(rules, Rules.at(7, 10));
        take(rules, Rules.at(8, 10));

        assertThat(heard).containsExactly(0L, 7L, 8L);
        assertThat(settled).containsExactly(0L, 7L, 8L);
        assertThat(LastGoodFile.in(temp, "order").load()).contains(Rules.at(8, 10));
        assertThat(rules.failedListeners()).isEqualTo(9);
    }

    /** A pipe that nobody writes to stands where the file would be: it is read for ever. */
    @Requirement({"F2", "F3"})
    @Test
    @NeedsProgram(value = "/usr/bin/mkfifo", install = "apt-get install coreutils")
    void aDiskThatHangsHoldsUpNoRules() throws Exception {
        Path pipe = temp.resolve("rules-0");
        int made =
                new ProcessBuilder("/usr/bin/mkfifo", pipe.toString()).start().waitFor();
        assertThat(made).isZero();
        FollowedRules rules = followed(LastGoodFile.in(temp, "order"));
        List<Long> heard = new ArrayList<>();
        rules.subscribe(applied -> heard.add(applied.revision()));

        rules.take(Rules.at(7, 10));
        rules.take(Rules.at(8, 10));
        rules.take(Rules.at(9, 10));

        assertThat(rules.current()).isEqualTo(Rules.at(9, 10));
        assertThat(heard).containsExactly(0L, 7L, 8L, 9L);
        assertThat(rules.settled().current()).isEqualTo(RuleSet.empty());

        // Whoever reads it comes to its end when somebody opened it to write and closed it.
        await().until(() -> {
            new RandomAccessFile(pipe.toFile(), "rw").close();
            return rules.settled().current().equals(Rules.at(9, 10));
        });
        assertThat(LastGoodFile.in(temp, "order").load()).contains(Rules.at(9, 10));
    }

    /** And waits until it has settled. */
    private static void take(FollowedRules rules, RuleSet offered) {
        rules.take(offered);
        await().until(() -> rules.settled().current().equals(offered));
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    /** It must not block, says the contract; if it does, decisions are by the new rules, and what came meanwhile follows. */
    @Requirement("F15")
    @Test
    void aListenerThatBlocksAgainstItsContractHoldsUpNoDecision() throws InterruptedException {
        FollowedRules rules = followed(null);
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        List<Long> heard = Collections.synchronizedList(new ArrayList<>());
        RuleSource.Subscription first = rules.subscribe(applied -> {
            if (applied.revision() == 7) {
                blocked.countDown();
                awaitUninterruptibly(release);
            }
        });
        rules.subscribe(applied -> heard.add(applied.revision()));
        Thread loop = new Thread(() -> {
            rules.take(Rules.at(7, 10));
            rules.take(Rules.at(8, 10));
        });

        loop.start();
        blocked.await();
        RuleSet decidedBy = rules.current();
        release.countDown();
        loop.join();
        first.close();

        assertThat(decidedBy).isEqualTo(Rules.at(7, 10));
        assertThat(rules.current()).isEqualTo(Rules.at(8, 10));
        assertThat(heard).containsExactly(0L, 7L, 8L);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static FollowedRules followed(LastGoodFile file) {
        return new FollowedRules("the server", file, Duration.ofSeconds(15), SettableClock.create());
    }
}
