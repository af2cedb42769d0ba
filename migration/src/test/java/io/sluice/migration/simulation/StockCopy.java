package io.sluice.migration.simulation;

import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.plan.Side;
import io.sluice.migration.simulation.Row.Answer;
import io.sluice.migration.simulation.Row.Id;
import io.sluice.migration.simulation.Row.Table;
import java.util.HashMap;
import java.util.Map;

/** The state of one key from one ledger into the other, reads and writes as steps of their own. */
final class StockCopy implements KeyCopy<Transaction> {
    private final Planted planted;

    StockCopy(Planted planted) {
        this.planted = planted;
    }

    @Override
    public Amounts copy(Transaction transaction, String key, Side from, Side to) {
        return from == Side.LEGACY ? toNew(transaction, key) : toLegacy(transaction, key);
    }

    private Amounts toNew(Transaction transaction, String key) {
        Row row = transaction.select("copy: reads the stock", new Id(Table.LEGACY_STOCK, key, ""));
        Row.LegacyStock stock = row == null ? new Row.LegacyStock(0, 0) : (Row.LegacyStock) row;
        Map<String, Row.Operation> operations =
                transaction.all("copy: reads operations", Table.LEGACY_OPERATION, key, Row.Operation.class);
        Map<String, Row.Reservation> reservations = new HashMap<>();
        operations.forEach((id, operation) -> {
            if (operation.answer() == Answer.RESERVED && planted != Planted.COPY_FORGETS_RESERVATIONS) {
                reservations.put(id, new Row.Reservation(operation.quantity(), !operation.isReleased()));
            }
        });
        int reserved = reservations.values().stream()
                .mapToInt(each -> each.isOpen() ? each.quantity() : 0)
                .sum();
        transaction.select("copy: writes the stock", new Id(Table.NEW_STOCK, key, ""));
        transaction.put(
                new Id(Table.NEW_STOCK, key, ""), new Row.NewStock(stock.available() + reserved, stock.version()));
        transaction.select("copy: writes reservations", new Id(Table.NEW_RESERVATION, key, ""));
        reservations.forEach((id, each) -> transaction.put(new Id(Table.NEW_RESERVATION, key, id), each));
        putOperations(transaction, key, Table.NEW_OPERATION, operations, Map.of());
        return Amounts.of(Map.of("available", (long) stock.available(), "reserved", (long) reserved));
    }

    private Amounts toLegacy(Transaction transaction, String key) {
        Row row = transaction.select("copy: reads the stock", new Id(Table.NEW_STOCK, key, ""));
        Row.NewStock stock = row == null ? new Row.NewStock(0, 0) : (Row.NewStock) row;
        Map<String, Row.Reservation> reservations =
                transaction.all("copy: reads reservations", Table.NEW_RESERVATION, key, Row.Reservation.class);
        Map<String, Row.Operation> operations =
                transaction.all("copy: reads operations", Table.NEW_OPERATION, key, Row.Operation.class);
        int reserved = reservations.values().stream()
                .mapToInt(each -> each.isOpen() ? each.quantity() : 0)
                .sum();
        transaction.select("copy: writes the stock", new Id(Table.LEGACY_STOCK, key, ""));
        transaction.put(
                new Id(Table.LEGACY_STOCK, key, ""), new Row.LegacyStock(stock.onHand() - reserved, stock.version()));
        putOperations(transaction, key, Table.LEGACY_OPERATION, operations, reservations);
        return Amounts.of(Map.of("available", (long) (stock.onHand() - reserved), "reserved", (long) reserved));
    }

    private void putOperations(
            Transaction transaction,
            String key,
            Table to,
            Map<String, Row.Operation> operations,
            Map<String, Row.Reservation> reservations) {
        if (planted == Planted.COPY_FORGETS_OPERATIONS && to == Table.NEW_OPERATION) {
            return;
        }
        transaction.select("copy: writes operations", new Id(to, key, ""));
        operations.forEach((id, operation) -> {
            Row.Reservation reservation = reservations.get(id);
            boolean isReleased = to == Table.LEGACY_OPERATION && reservation != null && !reservation.isOpen();
            transaction.put(
                    new Id(to, key, id), new Row.Operation(operation.answer(), operation.quantity(), isReleased));
        });
    }
}
