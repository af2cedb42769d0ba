package io.sluice.cli.migration;

import io.sluice.cli.terminal.JsonLine;
import io.sluice.core.problem.Problem;
import io.sluice.migration.ledger.Finding;
import io.sluice.migration.ledger.KeyReport;
import io.sluice.migration.ledger.ReportReader;
import io.sluice.migration.ledger.Totals;
import io.sluice.migration.plan.Side;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report for people, and its totals for programs. Keeps only the keys that it shows. */
final class ReportText implements ReportReader {
    /** How many keys with findings are shown unless asked otherwise. */
    static final int SHOWN = 20;

    private static final int BAR = 20;

    private final String migration;
    private final int shown;
    private final List<KeyReport> wrong = new ArrayList<>();
    private Instant at = Instant.EPOCH;
    private List<String> names = List.of();

    ReportText(String migration, int shown) {
        this.migration = migration;
        this.shown = shown;
    }

    @Override
    public void begins(Instant snapshot, List<String> amounts) {
        at = snapshot.truncatedTo(ChronoUnit.SECONDS);
        names = amounts;
    }

    @Override
    public void key(KeyReport key) {
        if (!key.findings().isEmpty() && wrong.size() < shown) {
            wrong.add(key);
        }
    }

    /** The lines of the table. Nothing in them can act on a terminal. */
    List<String> table(Totals totals) {
        List<String> lines = new ArrayList<>();
        Totals.Owns all = totals.merged();
        lines.add(migration + ": " + all.keys() + " keys, as of " + at);
        lines.add("");
        StringBuilder head = new StringBuilder(String.format("%-8s%12s   %-29s", "", "keys", "share"));
        names.forEach(name -> head.append(String.format("%16s", name)));
        lines.add(head.toString());
        for (Side side : Side.values()) {
            lines.add(row(side.label(), totals.of(side), all.keys()));
        }
        lines.add(row("all", all, all.keys()));
        lines.add("");
        lines.add("ledgers   only in legacy " + totals.onlyInLegacy() + ", only in new " + totals.onlyInNew()
                + ", in both " + totals.inBoth() + ", in neither " + totals.inNeither() + ", being moved "
                + totals.moving());
        if (totals.addsUp()) {
            lines.add("findings  none: it adds up");
            return lines;
        }
        lines.add("findings  " + totals.keysWithFindings() + " of " + all.keys() + " keys");
        for (Finding.Kind kind : Finding.Kind.values()) {
            long count = totals.findings().getOrDefault(kind, 0L);
            if (count > 0) {
                lines.add(String.format("  %-10s%8d  %s", kind, count, meaning(kind)));
            }
        }
        wrong(totals, lines);
        return lines;
    }

    private void wrong(Totals totals, List<String> lines) {
        int width = wrong.stream().mapToInt(key -> key.key().length()).max().orElse(0);
        for (KeyReport key : wrong) {
            for (Finding finding : key.findings()) {
                lines.add(Problem.escaped(String.format(
                        "  %-" + Math.max(width, 3) + "s  %-6s  %-9s  %s",
                        key.key(),
                        key.owned().side().label(),
                        finding.kind(),
                        finding.text())));
            }
        }
        if (totals.keysWithFindings() > wrong.size()) {
            lines.add("  and " + (totals.keysWithFindings() - wrong.size())
                    + " more keys: --show N, or --csv FILE for all");
        }
    }

    private String row(String label, Totals.Owns owns, long all) {
        double share = all == 0 ? 0 : (double) owns.keys() / all;
        int full = (int) Math.round(share * BAR);
        StringBuilder row = new StringBuilder(String.format(
                Locale.ROOT,
                "%-8s%12d   %5.1f%% %s%s  ",
                label,
                owns.keys(),
                share * 100,
                "#".repeat(full),
                ".".repeat(BAR - full)));
        names.forEach(
                name -> row.append(String.format("%16s", owns.sums().byName().getOrDefault(name, 0L))));
        return row.toString();
    }

    /** One object on one line. */
    String json(Totals totals) {
        Totals.Owns all = totals.merged();
        JsonLine line = new JsonLine()
                .with("migration", migration)
                .with("at", at.toString())
                .with("keys", all.keys())
                .with("keysWithFindings", totals.keysWithFindings());
        for (Finding.Kind kind : Finding.Kind.values()) {
            line.with(member(kind), totals.findings().getOrDefault(kind, 0L));
        }
        line.with("onlyInLegacy", totals.onlyInLegacy())
                .with("onlyInNew", totals.onlyInNew())
                .with("inBothLedgers", totals.inBoth())
                .with("inNeither", totals.inNeither())
                .with("moving", totals.moving());
        for (Side side : Side.values()) {
            Totals.Owns owns = totals.of(side);
            line.with(side.label() + ".keys", owns.keys());
            owns.sums().byName().forEach((name, sum) -> line.with(side.label() + "." + name, sum));
        }
        all.sums().byName().forEach((name, sum) -> line.with("all." + name, sum));
        return line.toString();
    }

    private static String member(Finding.Kind kind) {
        return switch (kind) {
            case MISSING -> "missing";
            case IN_BOTH -> "writtenInBoth";
            case FROZEN -> "frozen";
            case NEGATIVE -> "negative";
            case UNCHECKED -> "unchecked";
        };
    }

    private static String meaning(Finding.Kind kind) {
        return switch (kind) {
            case MISSING -> "the owner's ledger does not have it";
            case IN_BOTH -> "the other side was written after it was handed over: past the fence";
            case FROZEN -> "its move stands still, nobody can write it";
            case NEGATIVE -> "its owner has less than nothing of it";
            case UNCHECKED -> "both sides have it, and what was handed over is not known";
        };
    }
}
