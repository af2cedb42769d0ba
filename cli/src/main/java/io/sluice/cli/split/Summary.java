package io.sluice.cli.split;

import io.sluice.cli.terminal.JsonLine;
import io.sluice.core.decision.Decision;
import io.sluice.core.decision.Percent;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Counts decisions, and says how far the share they came to is from the one that was asked. */
final class Summary {
    private static final int DECIMALS = 6;

    private final Percent asked;
    private long total;
    private long canary;

    Summary(Percent asked) {
        this.asked = asked;
    }

    void add(Decision decision) {
        total++;
        canary += decision.isCanary() ? 1 : 0;
    }

    /** Shares of nothing are null. */
    String toJson() {
        JsonLine json =
                new JsonLine().with("total", total).with("canary", canary).with("stable", total - canary);
        if (total == 0) {
            return json.withNull("observedPercent").withNull("errorPp").toString();
        }
        BigDecimal observed =
                BigDecimal.valueOf(canary * 100).divide(BigDecimal.valueOf(total), DECIMALS, RoundingMode.HALF_UP);
        BigDecimal error =
                observed.subtract(BigDecimal.valueOf(asked.basisPoints(), 2)).abs();
        return json.with("observedPercent", observed).with("errorPp", error).toString();
    }
}
