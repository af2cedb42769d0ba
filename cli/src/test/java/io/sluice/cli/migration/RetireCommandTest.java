package io.sluice.cli.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.cli.migration.sample.OldStock;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("I10")
class RetireCommandTest {
    private static final String FILE = "src/test/java/io/sluice/cli/migration/sample/OldStock.java";
    private static final String TYPE = "io.sluice.cli.migration.sample.OldStock";

    @TempDir
    Path directory;

    @Test
    void listsWhatToDeleteInOrderWithFilesAndLines() {
        Ran ran = retire("--sources=src/test", "--migration=stock");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.out().replaceAll("\\((.+), (by|since) 2027-03-31(, \\d+ days over)?\\)", "($1)"))
                .isEqualTo("""
                What stock leaves behind: 4 places

                0. Before anything: new has 100 percent and no key is left at legacy (sluice migration reconcile),
                   and the evidence is ready (sluice migration ready).
                1. What chooses between the branches, and the new side's calls of its fence:
                   FILE:12  method TYPE.route(String)  (routing)
                   FILE:17  method TYPE.route(String, int)  (routing)
                2. What compares them:
                   FILE:9  field TYPE.SAMPLED  (shadow reads (5%))
                3. The old branch, and whatever else is marked:
                   FILE:7  class TYPE  (old branch)
                4. Yours: the tables of the old ledger. Last of all, when no process of before runs any more, the rows
                   of sluice.owner: a key without a row is legacy's.
                """.replace("FILE", FILE).replace("TYPE", TYPE));
    }

    @Test
    void printsOneObjectForEachPlace() {
        Ran ran = retire("--json", "--sources=src/test", "--migration=orders");

        assertThat(ran.out().replaceAll("\"daysOver\":\\d+", "\"daysOver\":N"))
                .isEqualTo("{\"migration\":\"orders\",\"step\":3,\"part\":\"old branch\",\"place\":\"class " + TYPE
                        + "$Row\",\"lastDay\":\"2027-03-31\",\"daysOver\":N,\"source\":\"" + FILE + ":23\"}\n");
    }

    @Test
    void sourcesThatAreNotThereAreLeftOut() {
        assertThat(retire("--migration=orders").out()).contains("\n   class " + TYPE + "$Row  (old branch, ");
        assertThat(retire("--migration=orders", "--sources=src/main").out()).contains("\n   class " + TYPE + "$Row");
    }

    @Test
    void isTooEarlyWhileTheEvidenceIsNotReady() throws IOException {
        LocalDate yesterday = LocalDate.now(ZoneOffset.UTC).minusDays(1);
        String day = "{\"date\":\"%s\",\"newSuccesses\":60000,\"fallbacks\":%d,\"shadowChecks\":1000,\"shadowDiffs\":0,"
                + "\"complete\":true}";
        Path criteria = Files.writeString(
                directory.resolve("criteria.json"),
                "{\"minNewSuccesses\":50000,\"maxFallbackBps\":10,\"maxShadowDiffBps\":5,\"minDays\":1}");
        Path good =
                Files.writeString(directory.resolve("good.json"), "{\"days\":[" + day.formatted(yesterday, 0) + "]}");
        Path bad =
                Files.writeString(directory.resolve("bad.json"), "{\"days\":[" + day.formatted(yesterday, 600) + "]}");

        Ran early = retire("--migration=stock", "--ready-stats=" + bad, "--criteria=" + criteria);
        Ran ready = retire("--migration=stock", "--ready-stats=" + good, "--criteria=" + criteria);

        assertThat(early.code()).isEqualTo(10);
        assertThat(early.err()).startsWith("too early: the evidence is not ready\n  fallback rate ");
        assertThat(early.out()).contains("OldStock.SAMPLED");
        assertThat(ready).isEqualTo(new Ran(0, early.out(), ""));
    }

    @Test
    void saysThatNothingIsMarked() {
        assertThat(Ran.sluice("migration", "retire", "--classes", "target/classes"))
                .isEqualTo(new Ran(0, "", "nothing is marked with @Retire\n"));
        assertThat(retire("--migration=stok"))
                .isEqualTo(new Ran(0, "", "marked are: orders, stock\nnothing is marked with @Retire for stok\n"));
    }

    @Test
    void everyBadOptionIsNamed() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));

        assertThat(Ran.sluice(
                        "migration", "retire", "--classes", empty.toString(), "--sources=nowhere", "--criteria=c"))
                .isEqualTo(Ran.refused(
                        "--criteria was c, but must come with --ready-stats",
                        "--classes was " + empty + ", but must hold class files",
                        "--sources was nowhere, but must be a directory that can be read"));
        assertThat(Ran.sluice("migration", "retire", "--classes", "nowhere").err())
                .startsWith(
                        "--classes was nowhere, but must be directories and jars that can be read (nowhere is neither");
        assertThat(retire("--ready-stats=nowhere").err())
                .isEqualTo("--ready-stats was nowhere, but must be a file that can be read, or -\n");
        assertThat(retire("--ready-stats=-", "--criteria=-").err())
                .isEqualTo("--criteria was -, but must be a file where --ready-stats is standard input\n");
    }

    private static Ran retire(String... more) {
        String[] arguments = new String[more.length + 4];
        arguments[0] = "migration";
        arguments[1] = "retire";
        arguments[2] = "--classes";
        arguments[3] = sample().toString();
        System.arraycopy(more, 0, arguments, 4, more.length);
        return Ran.sluice(arguments);
    }

    private static Path sample() {
        try {
            return Path.of(OldStock.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolve("io/sluice/cli/migration/sample");
        } catch (URISyntaxException noPath) {
            throw new IllegalStateException(noPath);
        }
    }
}
