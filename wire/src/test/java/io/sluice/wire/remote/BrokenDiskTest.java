package io.sluice.wire.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Weighted;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import io.sluice.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full, or fail: real ones, which only root may mount, and a real system call that says so. */
@Requirement("F3")
@Timeout(120)
class BrokenDiskTest {
    private static final RuleSet R7 = Rules.at(7, 10);
    private static final RuleSet R8 = Rules.at(8, 25);
    private static final RuleSet R9 = Rules.at(9, 50);

    @TempDir
    Path root;

    @Test
    @NeedsProgram(
            value = {"/usr/bin/mount", "/usr/bin/umount"},
            install = "apt-get install mount")
    void onAFullDiskRulesHoldAndTheNextWriteWithSpaceSucceeds() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(root, "128k")) {
            Path directory = root.resolve("order");
            FollowedRules rules = followed(directory);
            take(rules, R7);

            disk.fill();
            take(rules, R8);

            assertThat(rules.current()).isEqualTo(R8);
            assertThat(rules.failedWrites()).isEqualTo(1);
            assertThat(kept(directory)).isEqualTo(R7);
            assertThat(names(directory)).containsExactly("rules-0");

            disk.empty();
            take(rules, R9);

            assertThat(rules.failedWrites()).isEqualTo(1);
            assertThat(kept(directory)).isEqualTo(R9);
        }
    }

    /** The file is half written when the space ends; every share of it from one page to all but one. */
    @Test
    @NeedsProgram(
            value = {"/usr/bin/mount", "/usr/bin/umount"},
            install = "apt-get install mount")
    void aDiskThatIsFullInTheMiddleOfAFileLeavesTheOneBefore() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(root, "128k")) {
            Path directory = root.resolve("order");
            FollowedRules rules = followed(directory);
            take(rules, R7);

            for (int pages = 1; pages <= 4; pages++) {
                disk.fillUpTo(pages);
                take(rules, large(7 + pages));

                assertThat(rules.failedWrites()).as("%d pages free", pages).isEqualTo(pages);
                assertThat(kept(directory)).as("%d pages free", pages).isEqualTo(R7);
                assertThat(names(directory)).containsExactly("rules-0");
                disk.empty();
            }
            take(rules, large(12));

            assertThat(kept(directory)).isEqualTo(large(12));
        }
    }

    @Test
    @NeedsProgram(value = "/usr/bin/strace", install = "apt-get install strace")
    void aDiskThatFailsToSyncLeavesTheOneBefore() throws Exception {
        Path directory = root.resolve("order");
        LastGoodFile.in(directory, "order").save(R7);
        List<String> strace =
                List.of("/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=fsync,fdatasync:error=EIO");
        assumeTrue(run("/usr/bin/strace", "-o", "/dev/null", "/usr/bin/true"), "this user may not trace a process");

        try (FollowingProcess process = FollowingProcess.run(strace, SavingMain.class, directory.toString())) {
            assertThat(process.line()).isEqualTo("holds 8, failed writes 1");
        }

        assertThat(kept(directory)).isEqualTo(R7);
        assertThat(names(directory)).containsExactly("rules-0");
    }

    /** Takes the revision 8, in a process whose disk fails. */
    static final class SavingMain {
        public static void main(String[] arguments) {
            FollowedRules rules = followed(Path.of(arguments[0]));
            take(rules, R8);
            System.out.println("holds " + rules.current().revision() + ", failed writes " + rules.failedWrites());
        }
    }

    /** And waits until it has settled. */
    private static void take(FollowedRules rules, RuleSet offered) {
        rules.take(offered);
        await().until(() -> rules.settled().current().equals(offered));
    }

    private static FollowedRules followed(Path directory) {
        return new FollowedRules(
                "the server", LastGoodFile.in(directory, "order"), Duration.ofSeconds(15), SettableClock.create());
    }

    private static RuleSet kept(Path directory) {
        return LastGoodFile.in(directory, "order").load().orElse(RuleSet.empty());
    }

    /** Five to six pages of them. */
    private static RuleSet large(long revision) {
        Set<String> allow =
                IntStream.range(0, 1_500).mapToObj(i -> "customer-" + i).collect(Collectors.toSet());
        return RuleSet.of(
                1,
                revision,
                List.of(new ReleaseRule(
                        "r",
                        "v2",
                        List.of("order"),
                        new Weighted(Bucketing.of(BucketHash.FNV1A_MIXED, "r"), Percent.of(10), allow),
                        List.of(),
                        revision,
                        Duration.ofMillis(300))));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(List.of(command))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
