package io.sluice.demo.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.demo.inventory.proof.WriteLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log that proves that a SKU has one writer finds it when it has two. */
class WriteLogTest {
    private static final String RESERVE_AT_LEGACY =
            "UPDATE legacy_inventory SET available = available - 1, version = version + 1 WHERE sku = 'sku-0';"
                    + " INSERT INTO legacy_reservation (id, sku, order_no, quantity) VALUES ('r-' || random(), 'sku-0', 'o', 1)";
    private static final String RESERVE_AT_NEW =
            "UPDATE inventory.stock SET available = available - 1, version = version + 1 WHERE sku = 'sku-0';"
                    + " INSERT INTO inventory.reservation VALUES ('r-' || random(), 'sku-0', 'o', 1, 'RESERVED', 'new')";
    private static final String MOVE = "UPDATE sluice.owner SET side = 'new', epoch = 1;"
            + " INSERT INTO inventory.stock SELECT sku, available, version FROM legacy_inventory;"
            + " INSERT INTO inventory.reservation SELECT id, sku, order_no, quantity, 'RESERVED', 'legacy'"
            + " FROM legacy_reservation";

    private TestDatabase database;
    private WriteLog log;

    @BeforeEach
    void start() throws Exception {
        database = new TestDatabase();
        log = WriteLog.begin(database.plain());
        InventoryTables.stock(database.plain(), "sku-%d", 1, 10);
        database.execute(
                "INSERT INTO sluice.owner (migration, key, side, epoch) VALUES ('inventory', 'sku-0', 'legacy', 0)");
    }

    @AfterEach
    void stop() throws Exception {
        database.close();
    }

    @Test
    void oneWriterAfterTheOtherIsNoFault() throws Exception {
        database.execute(RESERVE_AT_LEGACY);
        database.execute(MOVE);
        database.execute(RESERVE_AT_NEW);

        assertThat(log.faults()).isEmpty();
        assertThat(log.skusWithout(10)).isEmpty();
        assertThat(log.total()).isEqualTo(10);
        assertThat(log.reserved()).isEqualTo(2);
    }

    @Test
    void aWriteAtTheOldSideAfterTheMoveIsFound() throws Exception {
        database.execute(MOVE);
        database.execute(RESERVE_AT_NEW);
        database.execute(RESERVE_AT_LEGACY);

        assertThat(log.faults())
                .anyMatch(each -> each.startsWith("version made twice: sku-0 1"))
                .anyMatch(each -> each.startsWith("written beside the owner: sku-0 1"));
    }

    @Test
    void aWriteThatIsStillOpenWhenTheOtherSideIsWrittenIsFound() throws Exception {
        try (Connection open = database.plain().getConnection();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute(RESERVE_AT_LEGACY);
            moveAsIfItWereCommitted();
            database.execute(RESERVE_AT_NEW);
            open.commit();
        }

        assertThat(log.faults()).containsExactly("written at both sides at once: sku-0 2");
    }

    /** With what the open write makes, which nobody can read yet. */
    private void moveAsIfItWereCommitted() throws SQLException {
        database.execute("UPDATE sluice.owner SET side = 'new', epoch = 1;"
                + " INSERT INTO inventory.stock VALUES ('sku-0', 9, 1);"
                + " INSERT INTO inventory.reservation VALUES ('copied', 'sku-0', 'o', 1, 'RESERVED', 'legacy')");
    }

    @Test
    void aWriteThatTheCopyMissedIsFound() throws Exception {
        database.execute(RESERVE_AT_LEGACY);
        database.execute(MOVE);
        database.execute("DELETE FROM inventory.stock; INSERT INTO inventory.stock VALUES ('sku-0', 10, 0)");

        assertThat(log.faults()).contains("write lost by its owner: sku-0");
        assertThat(log.skusWithout(10)).containsExactly("sku-0 has 10 and 1");
    }

    @Test
    void aWriteThatIsNoOperationIsFound() throws Exception {
        database.execute("UPDATE legacy_inventory SET version = version + 1");

        assertThat(log.faults()).containsExactly("writes are not operations: sku-0 has 1 for 0");
    }
}
