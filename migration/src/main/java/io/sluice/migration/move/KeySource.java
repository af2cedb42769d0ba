package io.sluice.migration.move;

import java.util.List;

/**
 * The user's part: every key there is, of both ledgers, in pages. Keys that come and go meanwhile may be in or not; they
 * are seen the next time round.
 *
 * <pre>{@code
 * KeySource keys = (last, limit) -> jdbc.queryForList(
 *         "SELECT sku FROM (SELECT sku FROM legacy_inventory UNION SELECT sku FROM inventory.stock) AS both_ledgers"
 *                 + " WHERE sku > ? ORDER BY sku LIMIT ?", String.class, last, limit);
 * }</pre>
 */
@FunctionalInterface
public interface KeySource {
    /**
     * The next keys, in an order that is the source's own and stays the same.
     *
     * @param last the key behind which the page begins, empty for the first page
     * @param limit how many at most
     * @return empty only when there are no more
     * @throws RuntimeException when they can't be read now; it is asked again later
     */
    List<String> after(String last, int limit);
}
