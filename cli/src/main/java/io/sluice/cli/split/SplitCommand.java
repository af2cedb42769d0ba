package io.sluice.cli.split;

import io.sluice.cli.terminal.BadLines;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.Line;
import io.sluice.cli.terminal.Lines;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Decision;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Split;
import io.sluice.core.decision.Weighted;
import io.sluice.core.identity.Identity;
import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice split}: the lane, bucket and reason of each key on standard input. */
@Command(
        name = "split",
        sortOptions = false,
        description = {
            "Decides the lane of each customer on standard input, one key a line.",
            "Prints key TAB lane TAB bucket TAB reason."
        },
        customSynopsis = {
            "sluice split --salt S --percent P [--hash fnv1a|fnv1a-mixed] [--allow ID]...",
            "             [--abort REASON] [--summary] < keys"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:fine", "2:wrong usage, or lines that are no keys; the others are printed"})
public final class SplitCommand implements Callable<Integer> {
    private static final String KEY = "must be UTF-8, a key of " + Identity.ALLOWED;
    private static final String REASON = "must say why, in 1..500 characters without control characters";

    private final Terminal terminal;

    @Option(names = "--salt", paramLabel = "S", description = "The salt of the release.")
    private @Nullable String salt;

    @Option(names = "--percent", paramLabel = "P", description = "Canary's share, 0..100 with at most two decimals.")
    private @Nullable String percent;

    @Option(names = "--hash", paramLabel = "HASH", description = "fnv1a or fnv1a-mixed, the default.")
    private String hash = BucketHash.FNV1A_MIXED.label();

    @Option(names = "--allow", paramLabel = "ID", description = "A customer who is on canary at any share.")
    private List<String> allow = new ArrayList<>();

    @Option(names = "--abort", paramLabel = "REASON", description = "Decides as after an abort: everybody is stable.")
    private @Nullable String abort;

    @Option(names = "--summary", description = "Prints one JSON object in place of the lines.")
    private boolean summary;

    public SplitCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        Split split = split();
        Summary counts = new Summary(split.percent());
        BadLines bad = new BadLines(KEY);
        Lines lines = new Lines(terminal.in(), Identity.LONGEST_BYTES);
        for (Line line = lines.next(); line != null; line = lines.next()) {
            if (!isKey(line)) {
                bad.add(line);
                continue;
            }
            Decision decision = split.decide(Identity.ofCustomer(line.text()));
            counts.add(decision);
            if (!summary) {
                terminal.print(line.text()
                        + '\t'
                        + decision.lane().label()
                        + '\t'
                        + decision.bucket()
                        + '\t'
                        + decision.reason());
            }
        }
        bad.sayTo(terminal);
        if (summary && bad.isEmpty()) {
            terminal.print(counts.toJson());
        }
        return bad.isEmpty() ? Exit.OK : Exit.REFUSED;
    }

    private Split split() {
        OptionValues options = new OptionValues();
        Percent share = options.read("--percent", percent, Percent::parse, Percent.ZERO);
        BucketHash bucketHash = options.read("--hash", hash, BucketHash::parse, BucketHash.FNV1A_MIXED);
        Bucketing bucketing = options.read(
                "--salt", salt, text -> Bucketing.of(bucketHash, text), Bucketing.of(bucketHash, "stand-in"));
        Split live = options.build(
                () -> new Weighted(bucketing, share, Set.copyOf(allow)), new Weighted(bucketing, share, Set.of()));
        Split split = abort == null ? live : options.read("--abort", abort, why -> live.abort(reason(why)), live);
        options.throwIfAny();
        return split;
    }

    /** A reason stands in every line of the output, so it may not break one. */
    private static String reason(String why) {
        if (why.isBlank() || why.length() > 500 || why.chars().anyMatch(Character::isISOControl)) {
            throw new RefusedException("", why.isBlank() ? "empty" : why, REASON);
        }
        return why;
    }

    /** A byte-order mark is no part of anybody's id. */
    private static boolean isKey(Line line) {
        String text = line.text();
        return line.isReadable() && Identity.isUsable(text) && text.charAt(0) != '\ufeff';
    }
}
