package io.sluice.cli.demo.migration;

import io.sluice.cli.demo.Figure;
import io.sluice.cli.demo.Progress;
import io.sluice.migration.ledger.Totals;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What came of the demo.
 *
 * @param skus how many there are
 * @param stocked how many units there were at first
 * @param watch what happened on the way
 * @param kill how the router ended; empty if it was not killed
 * @param customers what they saw
 * @param settled how many unknown outcomes were asked for at the end
 * @param audit their account against the ledgers
 * @param totals both ledgers, by the owner of each SKU
 * @param unmet what is missing for the old side to go
 */
record MigrationReport(
        int skus,
        long stocked,
        MoveWatch watch,
        String kill,
        Customers.Figures customers,
        long settled,
        Audit audit,
        Totals totals,
        List<String> unmet) {

    String text() {
        RouterFigures routers = watch.routers();
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("SKUs moved: %s of %s   moves: %s   handed back: %s   moves per second: %.0f"
                .formatted(
                        Figure.count(totals.of(Side.NEW).keys()),
                        Figure.count(skus),
                        Figure.count(watch.moves()),
                        Figure.count(watch.handedBack()),
                        watch.movesPerSecond()));
        lines.add("  " + (kill.isEmpty() ? "no router was killed" : kill));
        lines.add("  " + String.join("   ", routers.behind()));
        lines.add("  writes that fell back: %s   shadow reads compared: %s   different: %d   not compared: %s"
                .formatted(
                        Figure.count(routers.fallbacks()),
                        Figure.count(routers.compared()),
                        routers.different(),
                        Figure.count(routers.notCompared())));
        lines.add("");
        lines.add("what the customers saw");
        lines.add("  requests: %s   sold out: %s   not served: %s   unknown: %d, settled: %d   P99: %s"
                .formatted(
                        Figure.count(customers.requests()),
                        Figure.count(customers.soldOut()),
                        Figure.count(customers.nothing()),
                        customers.unknown(),
                        settled,
                        Figure.millis(customers.p99().toMillis())));
        lines.add("  reservations: %s   released: %s"
                .formatted(Figure.count(audit.promised()), Figure.count(audit.released())));
        lines.add("");
        lines.add("both ledgers, by the owner of each SKU, held against what the customers were told");
        lines.add("  double sells: %d   lost reservations: %d   not promised to anybody: %d   not settled: %d"
                .formatted(audit.soldTwice(), audit.missing(), audit.invented(), audit.unsettled()));
        lines.add("  stock conserved: %s of %s units   findings: %d"
                .formatted(Figure.count(units()), Figure.count(stocked), totals.keysWithFindings()));
        audit.samples().forEach(sample -> lines.add("    " + sample));
        lines.add("");
        lines.add(unmet.isEmpty() ? "ready: yes" : "ready: no, which a demo of a minute can't be");
        unmet.forEach(each -> lines.add("  " + each));
        return String.join("\n", lines);
    }

    /** All that there is, for sale or reserved. */
    private long units() {
        return totals.merged().sums().byName().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** What is not as it had to be; empty if everything is. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (!audit.isClean()) {
            faults.add("nothing may be sold twice, lost, invented or left open");
        }
        if (units() != stocked || !totals.addsUp()) {
            faults.add("the stock must be conserved, without findings");
        }
        if (totals.of(Side.NEW).keys() != skus) {
            faults.add("every SKU must be at new");
        }
        if (watch.routers().different() > 0) {
            faults.add("both sides must answer the same");
        }
        return faults;
    }

    /** A sentence about a router that was killed. */
    static String kill(String router, long moved, long of, Duration away) {
        return String.format(
                Locale.ROOT,
                "%s was killed after %d of the %d moves of a step, and was back after %s",
                router,
                moved,
                of,
                Progress.seconds(away));
    }
}
