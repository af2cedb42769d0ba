package io.sluice.migration.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Read;
import io.sluice.migration.kit.BranchKit;
import io.sluice.migration.move.Mover;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import io.sluice.migration.plan.Side;
import io.sluice.migration.routing.Deadline;
import io.sluice.migration.routing.Router;
import io.sluice.testing.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The example of the page works, and the page shows it as it is. */
class ExampleTest {
    private static final Read<Points, Long> BALANCE = Read.named("balance", (side, grant) -> side.balance(grant));

    @Test
    @Requirement({"I11", "F71"})
    void anAccountKeepsItsPointsWhereverItIs() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start()) {
            DataSource database = postgres.getPostgresDatabase();
            JdbcOwners.createTables(database);
            createLedgers(database);
            JdbcOwners owners = new JdbcOwners(database, "points");
            Mover<Connection> mover = new Mover<>(owners, JdbcPoints.copy("old", "new"));
            Plan plan = Plan.start("points").withPercent(100);
            Router<Points> router = Router.<Points>builder()
                    .legacy(new JdbcPoints(database, owners, "old"))
                    .newer(new JdbcPoints(database, owners, "new"))
                    .plans(always(plan))
                    .handBack(mover)
                    .build();

            assertThat(spend(router, "op-1", 30)).isEqualTo(70);
            mover.move("account-1", Side.NEW, plan.epoch());
            assertThat(spend(router, "op-1", 30))
                    .as("sent again after the move")
                    .isEqualTo(70);
            assertThat(spend(router, "op-2", 10)).isEqualTo(60);
            assertThatThrownBy(() -> spend(router, "op-3", 61)).isInstanceOf(Points.NotEnoughPointsException.class);

            assertThat(router.outcome("account-1", "op-2", soon())).isEqualTo(Outcome.HAPPENED);
            assertThat(router.outcome("account-1", "op-4", soon())).isEqualTo(Outcome.DID_NOT_HAPPEN);
            assertThatThrownBy(() -> spend(router, "op-4", 1))
                    .as("called off for good")
                    .isInstanceOf(BusinessAnswerException.class);

            execute(database, "DROP TABLE new.operation");
            assertThatThrownBy(() -> spend(router, "op-5", 1)).hasMessageContaining("handing it back failed");
            assertThat(router.read("account-1", soon(), BALANCE)).isEqualTo(60);
        }
    }

    @Test
    @Requirement({"I2", "I11"})
    void theExampleKeepsTheContract() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start()) {
            DataSource database = postgres.getPostgresDatabase();
            JdbcOwners.createTables(database);
            createLedgers(database);

            BranchKit.verify(new PointsFixture(database));
        }
    }

    @Test
    void thePageShowsTheExampleAsItIs() throws IOException {
        String page = Files.readString(Path.of("../docs/migration.md"));
        Path here = Path.of("src/test/java/io/sluice/migration/example");
        String points = Files.readString(here.resolve("Points.java"));
        String example = Files.readString(here.resolve("JdbcPoints.java"));

        assertThat(page).contains(points.substring(points.indexOf("/** What both sides do")));
        assertThat(page).contains(example.substring(example.indexOf("final class JdbcPoints")));
    }

    private static long spend(Router<Points> router, String operationId, long points) {
        return router.write("account-1", operationId, soon(), (side, grant) -> side.spend(grant, operationId, points));
    }

    private static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(10));
    }

    private static void createLedgers(DataSource database) throws Exception {
        for (String schema : new String[] {"old", "new"}) {
            execute(
                    database,
                    "CREATE SCHEMA " + schema + ";"
                            + "CREATE TABLE " + schema
                            + ".account (id text PRIMARY KEY, points bigint, version bigint);"
                            + "CREATE TABLE " + schema
                            + ".operation (id text PRIMARY KEY, account text, result bigint)");
        }
        execute(database, "INSERT INTO old.account VALUES ('account-1', 100, 0)");
    }

    private static void execute(DataSource database, String sql) throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static PlanSource always(Plan plan) {
        return new PlanSource() {
            @Override
            public Plan current() {
                return plan;
            }

            @Override
            public Plan refresh() {
                return plan;
            }
        };
    }
}
