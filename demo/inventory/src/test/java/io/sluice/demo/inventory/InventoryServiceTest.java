package io.sluice.demo.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.kit.Fault;
import io.sluice.migration.move.MoveResult;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import io.sluice.migration.shadow.SecondLook;
import io.sluice.testing.Requirement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The inventory as the shop calls it, on a real database. */
class InventoryServiceTest {
    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final AtomicInteger SKUS = new AtomicInteger();

    private static TestDatabase database;
    private static HikariDataSource pool;

    private final CountingTally tally = new CountingTally();
    private final Plans plans = new Plans(Plan.start(InventoryTables.MIGRATION));
    private final InventoryMigration migration = new InventoryMigration(pool, plans);
    private final InventoryService inventory = migration.service(tally, SecondLook.none());
    private String sku;

    @BeforeAll
    static void start() throws Exception {
        database = new TestDatabase();
        pool = database.pool("service", 10);
    }

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    @BeforeEach
    void stock() throws SQLException {
        sku = "sku-" + SKUS.incrementAndGet();
        InventoryTables.stock(pool, sku, 1, 10);
    }

    @Test
    @Requirement("I2")
    void stockIsReservedAndReleased() {
        Reservation reservation = reserve("r", 3);

        assertThat(reservation).isEqualTo(new Reservation(sku + "-r", "order", sku, 3));
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(7);

        release("x", reservation.id());

        assertThat(inventory.available(sku, WITHIN)).isEqualTo(10);
    }

    @Test
    @Requirement({"I3", "I7"})
    void aMoveTakesEverythingAlong() throws SQLException {
        reserve("r", 3);
        reserve("s", 2);
        release("x", sku + "-s");

        move(Side.NEW);

        assertThat(held(Side.NEW)).isEqualTo(Amounts.of(Map.of("available", 7L, "reserved", 3L)));
        for (Side side : Side.values()) {
            assertThat(database.texts("SELECT available || ' ' || reserved FROM (" + InventoryLedgers.query(side)
                            + ") AS ledger WHERE sku = '" + sku + "'"))
                    .containsExactly("7 3");
        }
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(7);
        assertThat(reserve("t", 1).id()).isEqualTo("nv-" + sku + "-t");
    }

    /** F72: whoever owns the SKU now releases, once, whatever mark the id carries. */
    @ParameterizedTest
    @CsvSource({
        "LEGACY, LEGACY, ''", "LEGACY, LEGACY, nv-", "LEGACY, NEW, ''", "LEGACY, NEW, nv-",
        "NEW, NEW, nv-", "NEW, NEW, ''", "NEW, LEGACY, nv-", "NEW, LEGACY, ''",
    })
    @Requirement({"I4", "F72"})
    void aForgedPrefixIsOnlyAHint(Side made, Side now, String prefix) throws SQLException {
        moveTo(made);
        Reservation reservation = reserve("r", 4);
        assertThat(reservation.id()).isEqualTo((made == Side.NEW ? "nv-" : "") + sku + "-r");
        moveTo(now);

        release("x", prefix + sku + "-r");

        assertThat(inventory.available(sku, WITHIN)).isEqualTo(10);
        assertThat(held(now)).isEqualTo(Amounts.of(Map.of("available", 10L, "reserved", 0L)));
        assertThatThrownBy(() -> release("y", prefix + sku + "-r")).isInstanceOf(AlreadyReleasedException.class);
        assertThatCode(() -> release("x", prefix + sku + "-r")).doesNotThrowAnyException();
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(10);
        moveTo(now.other());
        assertThatThrownBy(() -> release("z", sku + "-r")).isInstanceOf(AlreadyReleasedException.class);
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    @Requirement({"I4", "F72"})
    void anUnknownReservationIsReleasedByNobody(Side owner) throws SQLException {
        moveTo(owner);
        reserve("r", 4);

        for (String unknown : List.of("no-such", "nv-no-such", "nv-nv-" + sku + "-r", "nv- ")) {
            assertThatThrownBy(() -> release("x", unknown)).isInstanceOf(UnknownReservationException.class);
        }
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(6);
    }

    @Test
    @Requirement("I4")
    void theIdOfAReleaseIsNoReservation() {
        reserve("r", 4);
        release("x", sku + "-r");

        assertThatThrownBy(() -> release("y", sku + "-x")).isInstanceOf(UnknownReservationException.class);
        assertThatThrownBy(() -> reserve("x", 1)).isInstanceOf(OperationIdUsedException.class);
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("I2")
    void anIdStandsForOneThingOnBothLedgers(Side first) throws SQLException {
        String other = sku + "-other";
        InventoryTables.stock(pool, other, 1, 10);
        moveTo(first);
        reserve("r", 4);

        assertThatThrownBy(() -> reserve("r", 3)).isInstanceOf(OperationIdUsedException.class);
        assertThatThrownBy(() -> inventory.reserve(new ReserveRequest(sku + "-r", "another order", sku, 4), WITHIN))
                .isInstanceOf(OperationIdUsedException.class);
        // The other SKU is legacy's, whoever owns the first.
        assertThatThrownBy(() -> inventory.reserve(new ReserveRequest(sku + "-r", "order", other, 4), WITHIN))
                .isInstanceOf(OperationIdUsedException.class);
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(6);
        assertThat(inventory.available(other, WITHIN)).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("I3")
    void whatIsNotThereIsABusinessAnswerAndNeverFallsBack(Side owner) throws SQLException {
        moveTo(owner);

        assertThatThrownBy(() -> reserve("r", 11)).isInstanceOf(OutOfStockException.class);
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(10);
        assertThat(migration.owners().of(sku).side()).isEqualTo(owner);
        assertThat(tally.fallbacks).hasValue(0);
        // Nothing has happened under this id, so it is still free.
        assertThat(reserve("r", 10).quantity()).isEqualTo(10);
        assertThatThrownBy(() -> inventory.available("never-stocked", WITHIN)).isInstanceOf(NotStockedException.class);
        assertThatThrownBy(() -> inventory.reserve(new ReserveRequest("n", "order", "never-stocked", 1), WITHIN))
                .isInstanceOf(NotStockedException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNREACHABLE", "BEFORE_COMMIT"})
    @Requirement("I3")
    void anUnavailableNewSideGivesTheKeyBackWithItsWholeLedger(Fault fault) throws SQLException {
        moveTo(Side.NEW);
        Reservation before = reserve("r", 4);
        InventoryService broken = brokenAtNew(fault);

        Reservation fallen = broken.reserve(new ReserveRequest(sku + "-f", "order", sku, 1), WITHIN);

        assertThat(fallen.id()).isEqualTo(sku + "-f");
        assertThat(tally.fallbacks).hasValue(1);
        assertThat(migration.owners().of(sku).side()).isEqualTo(Side.LEGACY);
        assertThat(held(Side.LEGACY)).isEqualTo(Amounts.of(Map.of("available", 5L, "reserved", 5L)));
        // The processes for which new works take the key from legacy too, under the plan that wants it at new.
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(5);
        release("x", before.id());
        release("y", fallen.id());
        assertThat(held(Side.LEGACY)).isEqualTo(Amounts.of(Map.of("available", 10L, "reserved", 0L)));
    }

    @Test
    @Requirement({"I3", "F71"})
    void anUnknownOutcomeDoesNotFallBack() throws SQLException {
        moveTo(Side.NEW);
        InventoryService broken = brokenAtNew(Fault.ANSWER_LOST);
        ReserveRequest request = new ReserveRequest(sku + "-r", "order", sku, 4);

        assertThatThrownBy(() -> broken.reserve(request, WITHIN)).isInstanceOf(UnknownOutcomeException.class);

        assertThat(tally.fallbacks).hasValue(0);
        assertThat(migration.owners().of(sku).side()).isEqualTo(Side.NEW);
        assertThat(inventory.outcome(sku, request.reservationId(), WITHIN)).isEqualTo(Outcome.HAPPENED);
        assertThat(inventory.reserve(request, WITHIN).id()).isEqualTo("nv-" + sku + "-r");
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(6);
    }

    @Test
    @Requirement("I3")
    void nothingIsTriedForACallerWhoHasGone() throws SQLException {
        moveTo(Side.NEW);
        InventoryService broken = brokenAtNew(Fault.UNREACHABLE);

        assertThatThrownBy(() -> broken.reserve(new ReserveRequest(sku + "-r", "order", sku, 1), Duration.ZERO))
                .isInstanceOf(NothingHappenedException.class);

        assertThat(migration.owners().of(sku).side()).isEqualTo(Side.NEW);
        assertThat(tally.fallbacks).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("F71")
    void whatDidNotHappenNeverDoes(Side owner) throws SQLException {
        moveTo(owner);

        assertThat(inventory.outcome(sku, sku + "-r", WITHIN)).isEqualTo(Outcome.DID_NOT_HAPPEN);
        moveTo(owner.other());

        assertThatThrownBy(() -> reserve("r", 1)).isInstanceOf(OperationCancelledException.class);
        assertThatThrownBy(() -> release("x", sku + "-r")).isInstanceOf(UnknownReservationException.class);
        assertThat(inventory.available(sku, WITHIN)).isEqualTo(10);
    }

    @Test
    void aRequestIsRefusedWithAllItsProblems() {
        RefusedException refused =
                catchThrowableOfType(RefusedException.class, () -> new ReserveRequest("nv-r", "", "", -1));

        assertThat(refused.problems())
                .extracting(Problem::toString)
                .containsExactly(
                        "reservationId was nv-r, but must not start with nv-",
                        "orderId was empty, but must have 1..255 characters, none of them a control character",
                        "sku was empty, but must have 1..255 characters, none of them a control character",
                        "quantity was -1, but must be 1 or more");
        assertThatThrownBy(() -> new ReserveRequest("r", "order", "sku", 0)).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> new ReserveRequest(null, "order", "sku", 1)).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> new ReleaseRequest("nv-x", "\u0000"))
                .satisfies(thrown ->
                        assertThat(((RefusedException) thrown).problems()).hasSize(2));
        assertThatThrownBy(() -> new ReleaseRequest("x", "nv-")).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> inventory.available("", WITHIN)).isInstanceOf(RefusedException.class);
    }

    @Test
    void aGrantForAnotherKeyIsAMistakeOfTheProgram() {
        assertThatThrownBy(() -> migration
                        .legacy()
                        .reserve(Grant.of("other", Side.LEGACY, 0), new ReserveRequest("r", "order", sku, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private InventoryService brokenAtNew(Fault fault) {
        return new InventoryMigration(pool, FailingDatabase.of(pool, fault), plans, InventoryMigration.ANSWER_WITHIN)
                .service(tally, SecondLook.none());
    }

    private Reservation reserve(String id, int quantity) {
        return inventory.reserve(new ReserveRequest(sku + "-" + id, "order", sku, quantity), WITHIN);
    }

    private void release(String id, String reservationId) {
        inventory.release(new ReleaseRequest(sku + "-" + id, reservationId), WITHIN);
    }

    private Amounts held(Side side) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return InventoryLedgers.amounts(connection, side, sku);
        }
    }

    private void moveTo(Side side) {
        if (migration.owners().of(sku).side() != side) {
            move(side);
        }
    }

    private void move(Side to) {
        Plan before = plans.current();
        plans.change(new Plan(
                before.migration(), before.revision() + 1, 0, to == Side.NEW ? Set.of(sku) : Set.of(), Set.of()));
        MoveResult result = migration.mover().move(sku, to, plans.current().epoch());
        assertThat(result).isInstanceOf(MoveResult.Moved.class);
        Owned now = ((MoveResult.Moved) result).now();
        assertThat(now.side()).isEqualTo(to);
    }
}
