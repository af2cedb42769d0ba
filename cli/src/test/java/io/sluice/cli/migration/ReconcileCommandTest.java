package io.sluice.cli.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.testing.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("I9")
class ReconcileCommandTest {
    private static final String LEGACY = "SELECT sku, available, reserved FROM legacy_stock";
    private static final String NEWER = "SELECT sku, available, reserved FROM new_stock";

    private static EmbeddedPostgres postgres;

    @TempDir
    Path directory;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
        JdbcOwners.createTables(postgres.getPostgresDatabase());
        sql("CREATE TABLE legacy_stock (sku text PRIMARY KEY, available bigint, reserved bigint)");
        sql("CREATE TABLE new_stock (LIKE legacy_stock)");
        sql("CREATE ROLE reader LOGIN PASSWORD 'secret'");
        sql("GRANT USAGE ON SCHEMA sluice TO reader");
        sql("GRANT SELECT ON sluice.owner, sluice.migration, legacy_stock, new_stock TO reader");
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    /** Three keys at legacy, one moved whose copy is as it was left. */
    @BeforeEach
    void fourKeys() {
        sql("TRUNCATE sluice.owner, legacy_stock, new_stock");
        sql("INSERT INTO legacy_stock VALUES ('a', 7, 3), ('b', 5, 0), ('c', 1, 0), ('d, \"x\"', 2, 0)");
        sql("INSERT INTO new_stock VALUES ('b', 4, 1)");
        sql("INSERT INTO sluice.owner VALUES ('stock', 'b', 'new', 1048576, NULL, now(), 'available=5 reserved=0')");
    }

    @Test
    void printsTheMergedReportAndEndsWithZero() {
        Ran ran = reconcile();

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.out().replaceAll("as of \\S+", "as of NOW")).isEqualTo("""
                stock: 4 keys, as of NOW

                                keys   share                               available        reserved
                legacy             3    75.0% ###############.....                10               3
                new                1    25.0% #####...............                 4               1
                all                4   100.0% ####################                14               4

                ledgers   only in legacy 3, only in new 0, in both 1, in neither 0, being moved 0
                findings  none: it adds up
                """);
    }

    @Test
    void listsWhatDoesNotAddUpAndEndsWithTen() {
        sql("UPDATE legacy_stock SET available = 3 WHERE sku = 'b'");
        sql("UPDATE legacy_stock SET available = -1 WHERE sku = 'c'");
        sql("INSERT INTO sluice.owner VALUES ('stock', 'c', 'legacy', 1048576, 'new', now() - interval '1 hour', '')");

        Ran ran = reconcile("--show", "1");

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out())
                .contains("findings  2 of 4 keys\n")
                .contains("  IN_BOTH          1  the other side was written")
                .contains("  FROZEN           1  ")
                .contains("  NEGATIVE         1  ")
                .contains("  b    new     IN_BOTH    legacy was written after the hand-over: available=3 reserved=0,"
                        + " handed over was available=5 reserved=0\n")
                .contains("  and 1 more keys: --show N")
                .doesNotContain("  c    legacy");
        assertThat(reconcile("--frozen-for", "2h").out()).doesNotContain("FROZEN");
    }

    @Test
    void writesEveryKeyAsCsv() throws IOException {
        sql("UPDATE legacy_stock SET available = 3 WHERE sku = 'b'");
        String csv = """
                key,owner,available,reserved,findings,legacy.available,legacy.reserved,new.available,new.reserved,handed,epoch,moving_to,moving_seconds,details
                a,legacy,7,3,,7,3,,,,0,,,
                b,new,4,1,IN_BOTH,3,0,4,1,available=5 reserved=0,1048576,,,"legacy was written after the hand-over: available=3 reserved=0, handed over was available=5 reserved=0"
                c,legacy,1,0,,1,0,,,,0,,,
                "d, ""x""\",legacy,2,0,,2,0,,,,0,,,
                """.replace("\n", "\r\n");
        Path file = directory.resolve("report.csv");

        assertThat(reconcile("--csv", file.toString()).code()).isEqualTo(10);
        Ran toOutput = reconcile("--csv", "-");

        assertThat(file).content(StandardCharsets.UTF_8).isEqualTo(csv);
        assertThat(toOutput.out()).isEqualTo(csv);
        assertThat(toOutput.err()).contains("findings  1 of 4 keys");
    }

    @Test
    void aFileIsNotLeftHalfWritten() throws IOException {
        sql("INSERT INTO legacy_stock VALUES ('z', NULL, 0)");
        Path file = Files.writeString(directory.resolve("report.csv"), "of yesterday");

        Ran ran = reconcile("--csv", file.toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).startsWith("legacy available of z was null, but must be a whole number");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(file);
        }
        assertThat(file).content().isEqualTo("of yesterday");
    }

    @Test
    void printsTotalsAsOneLineOfJson() {
        assertThat(reconcile("--json").out().replaceAll("\"at\":\"[^\"]+\"", "\"at\":\"NOW\""))
                .isEqualTo("{\"migration\":\"stock\",\"at\":\"NOW\",\"keys\":4,\"keysWithFindings\":0,\"missing\":0,"
                        + "\"writtenInBoth\":0,\"frozen\":0,\"negative\":0,\"unchecked\":0,\"onlyInLegacy\":3,\"onlyInNew\":0,"
                        + "\"inBothLedgers\":1,\"inNeither\":0,\"moving\":0,\"legacy.keys\":3,\"legacy.available\":10,"
                        + "\"legacy.reserved\":3,\"new.keys\":1,\"new.available\":4,\"new.reserved\":1,\"all.available\":14,"
                        + "\"all.reserved\":4}\n");
    }

    @Test
    void takesWhatIsNoOptionFromAFileAndThePasswordFromTheEnvironment() throws IOException {
        Path config = Files.writeString(directory.resolve("stock.json"), """
                {"db": "%s", "user": "reader", "migration": "other", "frozenFor": "1m",
                 "legacy": "%s", "new": "%s"}
                """.formatted(url(), LEGACY, NEWER));

        Ran ran = Ran.with(
                Map.of("SLUICE_DB_PASSWORD", "secret"),
                new byte[0],
                "migration",
                "reconcile",
                "--config",
                config.toString(),
                "--migration=stock");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
    }

    @Test
    void everyBadOptionIsNamedAndNoPasswordIsShown() {
        assertThat(Ran.sluice("migration", "reconcile", "--db", "jdbc:postgresql://h/d?password=hunter2", "--show=x"))
                .isEqualTo(Ran.refused(
                        "--db was a URL with a password, but must be like jdbc:postgresql://host:5432/database, with no"
                                + " password in it: that is taken from SLUICE_DB_PASSWORD",
                        "--migration was missing, but must be the name of a migration",
                        "--legacy was missing, but must be a query: the key, then its amounts",
                        "--new was missing, but must be a query: the key, then its amounts",
                        "--show was x, but must be a whole number within 0..100000"));
        for (String url : List.of(
                "jdbc:postgresql://me:hunter2@h/d",
                "postgres://me:hunter2@h/d",
                "postgres://me:/hunter2@h/d",
                "postgres://me:?hunter2@h/d",
                "jdbc:postgresql:me:/hunter2@h/d")) {
            assertThat(Ran.sluice("migration", "reconcile", "--db", url).err())
                    .startsWith("--db was ")
                    .doesNotContain("hunter2");
        }
        assertThat(Ran.sluice("migration", "reconcile", "--db", "jdbc:mysql://h/d")
                        .err())
                .startsWith("--db was jdbc:mysql://h/d, but must be");
    }

    @Test
    void aConfigWithAPasswordOrATypoIsRefused() throws IOException {
        Path config =
                Files.writeString(directory.resolve("stock.json"), "{\"password\": \"x\", \"legcy\": \"SELECT\"}");

        Ran ran = Ran.sluice("migration", "reconcile", "--config", config.toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("password was unknown, but must be one of db, user,", "did you mean legacy?");
    }

    @Test
    void aBadQueryAMistypedNameAndAMissingDatabaseAreToldApart() {
        assertThat(run("stock", "SELECT sku, availible FROM legacy_stock", url()))
                .isEqualTo(
                        Ran.refused("--legacy was SELECT sku, availible FROM legacy_stock, but must be a query that the"
                                + " database can run (ERROR: column \"availible\" does not exist)"));
        assertThat(run("stok", LEGACY, url()))
                .isEqualTo(Ran.refused("--migration was stok, but must be one that this database knows: stock"));
        Ran gone = run("stock", LEGACY, "jdbc:postgresql://127.0.0.1:1/postgres");
        assertThat(gone.code()).isEqualTo(2);
        assertThat(gone.err()).startsWith("the database could not be read: ").doesNotContain("Exception");
    }

    private static Ran reconcile(String... more) {
        return run("stock", LEGACY, url(), more);
    }

    private static Ran run(String migration, String legacy, String url, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "migration",
                "reconcile",
                "--db",
                url,
                "--user=postgres",
                "--migration",
                migration,
                "--legacy",
                legacy,
                "--new",
                NEWER));
        arguments.addAll(List.of(more));
        return Ran.sluice(arguments.toArray(String[]::new));
    }

    private static String url() {
        return "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres";
    }

    private static void sql(String statement) {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement run = connection.createStatement()) {
            run.execute(statement);
        } catch (SQLException failed) {
            throw new IllegalStateException(statement, failed);
        }
    }
}
