package io.sluice.cli.demo.migration;

import io.sluice.cli.demo.migration.Ledgers.Entry;
import io.sluice.cli.demo.migration.Sale.Known;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the customers were told, held against the ledgers of the owners, once nothing is under way any more.
 *
 * @param promised reservations that were acknowledged
 * @param released of those, whose release was acknowledged
 * @param soldTwice units that were promised to two customers, or promised and still for sale
 * @param gone units that nobody has any more
 * @param missing acknowledged operations that the owner's ledger does not have as they were acknowledged
 * @param invented operations in a ledger that nobody was promised
 * @param unsettled operations of which it is still not known whether they happened
 * @param samples the first of whatever is wrong, described
 */
record Audit(
        long promised,
        long released,
        long soldTwice,
        long gone,
        long missing,
        long invented,
        long unsettled,
        List<String> samples) {
    private static final int MOST_SAMPLES = 5;
    private static final String RESERVED = "RESERVED";
    private static final String RELEASED = "RELEASED";

    Audit {
        samples = List.copyOf(samples);
    }

    boolean isClean() {
        return soldTwice == 0 && gone == 0 && missing == 0 && invented == 0 && unsettled == 0;
    }

    /**
     * Compares.
     *
     * @param ledger each reservation at the owner of its SKU, by its id
     * @param available what the owner of each SKU has left
     * @param stocked how much of each SKU there was
     */
    static Audit of(List<Sale> sales, Map<String, Entry> ledger, Map<String, Long> available, int stocked) {
        List<String> samples = new ArrayList<>();
        Set<String> told = new HashSet<>();
        Map<String, Long> held = new HashMap<>();
        long promised = 0;
        long released = 0;
        long missing = 0;
        long invented = 0;
        long unsettled = 0;
        for (Sale sale : sales) {
            told.add(sale.id());
            promised += sale.reserved() == Known.DONE ? 1 : 0;
            released += sale.released() == Known.DONE ? 1 : 0;
            if (sale.isHeld()) {
                held.merge(sale.sku(), (long) sale.quantity(), Long::sum);
            }
            @Nullable Entry entry = ledger.get(sale.id());
            if (sale.isUnknown()) {
                unsettled++;
                note(samples, "nobody knows of", sale, entry);
            } else if (sale.reserved() == Known.DONE && !isAsPromised(sale, entry)) {
                missing++;
                note(samples, "acknowledged was", sale, entry);
            } else if (sale.reserved() != Known.DONE && isThere(entry)) {
                invented++;
                note(samples, "not acknowledged was", sale, entry);
            }
        }
        for (Map.Entry<String, Entry> each : ledger.entrySet()) {
            if (isThere(each.getValue()) && !told.contains(each.getKey())) {
                invented++;
                samples.add("nobody has sent " + each.getKey() + ": " + each.getValue());
            }
        }
        long soldTwice = 0;
        long gone = 0;
        for (Map.Entry<String, Long> each : available.entrySet()) {
            long over = each.getValue() + held.getOrDefault(each.getKey(), 0L) - stocked;
            soldTwice += Math.max(over, 0);
            gone += Math.max(-over, 0);
            if (over != 0) {
                samples.add(each.getKey() + ": " + each.getValue() + " for sale and "
                        + held.getOrDefault(each.getKey(), 0L) + " promised of " + stocked);
            }
        }
        return new Audit(
                promised,
                released,
                soldTwice,
                gone,
                missing,
                invented,
                unsettled,
                samples.stream().limit(MOST_SAMPLES).toList());
    }

    private static boolean isThere(@Nullable Entry entry) {
        return entry != null
                && (entry.status().equals(RESERVED) || entry.status().equals(RELEASED));
    }

    private static boolean isAsPromised(Sale sale, @Nullable Entry entry) {
        if (entry == null || !entry.sku().equals(sale.sku()) || entry.quantity() != sale.quantity()) {
            return false;
        }
        return sale.released() == Known.DONE
                ? entry.status().equals(RELEASED) && sale.releaseId().equals(entry.releaseId())
                : entry.status().equals(RESERVED);
    }

    private static void note(List<String> samples, String what, Sale sale, @Nullable Entry entry) {
        samples.add(what + " " + sale + ", the owner has " + (entry == null ? "nothing" : entry.toString()));
    }
}
