package io.sluice.cli.migration;

import io.sluice.migration.ledger.Finding;
import io.sluice.migration.ledger.KeyReport;
import io.sluice.migration.ledger.ReportReader;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.plan.Side;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A report as CSV (RFC 4180, UTF-8): one line a key, the owner's amounts first, then what both ledgers say. Also passes
 * it on. Throws {@link UncheckedIOException} when it can't be written.
 */
final class ReportCsv implements ReportReader {
    private final OutputStream out;
    private final ReportReader next;
    private List<String> names = List.of();

    ReportCsv(OutputStream out, ReportReader next) {
        this.out = out;
        this.next = next;
    }

    @Override
    public void begins(Instant at, List<String> amounts) {
        names = amounts;
        List<String> heads = new ArrayList<>(List.of("key", "owner"));
        heads.addAll(names);
        heads.add("findings");
        for (Side side : Side.values()) {
            names.forEach(name -> heads.add(side.label() + "." + name));
        }
        heads.addAll(List.of("handed", "epoch", "moving_to", "moving_seconds", "details"));
        line(heads);
        next.begins(at, amounts);
    }

    @Override
    public void key(KeyReport key) {
        Side owner = key.owned().side();
        List<String> cells = new ArrayList<>(List.of(key.key(), owner.label()));
        amounts(key.truth(), cells);
        cells.add(key.findings().stream()
                .map(Finding::kind)
                .distinct()
                .map(Enum::name)
                .collect(Collectors.joining(" ")));
        amounts(owner == Side.LEGACY ? key.truth() : key.other(), cells);
        amounts(owner == Side.LEGACY ? key.other() : key.truth(), cells);
        @Nullable Side movingTo = key.owned().movingTo();
        cells.add(key.handed().toString());
        cells.add(String.valueOf(key.owned().epoch()));
        cells.add(movingTo == null ? "" : movingTo.label());
        cells.add(movingTo == null ? "" : String.valueOf(key.owned().age().toSeconds()));
        cells.add(key.findings().stream().map(Finding::text).collect(Collectors.joining("; ")));
        line(cells);
        next.key(key);
    }

    private void amounts(@Nullable Amounts amounts, List<String> cells) {
        for (String name : names) {
            @Nullable Long amount = amounts == null ? null : amounts.byName().get(name);
            cells.add(amount == null ? "" : amount.toString());
        }
    }

    private void line(List<String> cells) {
        String line = cells.stream().map(ReportCsv::quoted).collect(Collectors.joining(",")) + "\r\n";
        try {
            out.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException unwritten) {
            throw new UncheckedIOException(unwritten);
        }
    }

    private static String quoted(String cell) {
        boolean isPlain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return isPlain ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
    }
}
