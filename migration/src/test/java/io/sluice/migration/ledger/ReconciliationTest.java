package io.sluice.migration.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.migration.ledger.Finding.Kind;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("I9")
class ReconciliationTest {
    private static final Duration STILL = Duration.ofSeconds(10);

    /** Rows: owner, epoch, moving to for how long, what both ledgers have, what was handed over, and what is found. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            never moved                            | -      | 0 | -   | a=7 | -   | -    | ''
            mirrored before its move               | legacy | 0 | -   | a=7 | a=5 | -    | ''
            imported without an owner row          | -      | 0 | -   | a=7 | a=5 | -    | ''
            moved, old copy removed                | new    | 9 | -   | -   | a=5 | a=7  | ''
            moved, old copy as handed over         | new    | 9 | -   | a=7 | a=5 | a=7  | ''
            moved back, new copy as handed over    | legacy | 9 | -   | a=3 | a=7 | a=7  | ''
            given up before a first hand-over      | legacy | 9 | -   | a=7 | a=5 | -    | ''
            being moved                            | legacy | 9 | 9s  | a=7 | -   | -    | ''
            asked for and never there              | legacy | 0 | -   | -   | -   | -    | ''
            more names in the query than handed    | new    | 9 | -   | a=7 b=1 | a=5 | a=7 | ''
            written at legacy past the fence       | new    | 9 | -   | a=6 | a=5 | a=7  | IN_BOTH
            written at new after going back        | legacy | 9 | -   | a=3 | a=6 | a=7  | IN_BOTH
            mirrored, then written at new          | legacy | 0 | -   | a=7 | a=5 | a=7  | IN_BOTH
            one of two amounts differs             | new    | 9 | -   | a=7 b=1 | a=5 | a=7 b=2 | IN_BOTH
            in neither                             | new    | 9 | -   | -   | -   | a=7  | MISSING
            in neither, nothing was handed over    | new    | 9 | -   | -   | -   | ''   | MISSING
            only at the side that lost it          | new    | 9 | -   | a=7 | -   | a=7  | MISSING
            only at new, which never got it        | -      | 0 | -   | -   | a=7 | -    | MISSING
            frozen and left                        | legacy | 9 | 10s | a=7 | -   | -    | FROZEN
            frozen and lost                        | legacy | 9 | 10s | -   | -   | a=7  | MISSING FROZEN
            oversold                               | new    | 9 | -   | a=7 | a=-1 | a=7 | NEGATIVE
            below zero where it does not count     | new    | 9 | -   | a=-1 | a=5 | a=-1 | ''
            handed over under other names          | new    | 9 | -   | a=7 | a=5 | x=7  | UNCHECKED
            handed over without amounts            | new    | 9 | -   | a=7 | a=5 | ''   | UNCHECKED
            """)
    void findsWhatIsWrongAndNothingElse(
            String name,
            @Nullable String owner,
            long epoch,
            @Nullable String movingFor,
            @Nullable String legacy,
            @Nullable String newer,
            @Nullable String handed,
            String expected) {
        List<OwnerRow> rows = owner == null ? List.of() : List.of(row(owner, epoch, movingFor, handed));

        List<KeyReport> reports = new ArrayList<>();
        Totals totals = new Reconciliation(STILL).run(entry(legacy), entry(newer), rows.iterator(), reports::add);

        List<Kind> kinds = Arrays.stream(expected.split(" "))
                .filter(word -> !word.isEmpty())
                .map(Kind::valueOf)
                .toList();
        assertThat(reports)
                .singleElement()
                .satisfies(report ->
                        assertThat(report.findings()).extracting(Finding::kind).containsExactlyElementsOf(kinds));
        assertThat(totals.addsUp()).isEqualTo(kinds.isEmpty());
        assertThat(totals.findings().keySet()).containsExactlyInAnyOrderElementsOf(kinds);
    }

    @Test
    void sumsWhatEachSideOwnsAndNoCopy() {
        List<Entry> legacy = List.of(
                new Entry("a", amounts("available=7 reserved=3")),
                new Entry("b", amounts("available=100 reserved=0")),
                new Entry("c", amounts("available=2 reserved=0")));
        List<Entry> newer = List.of(
                new Entry("b", amounts("available=60 reserved=40")), new Entry("c", amounts("available=2 reserved=0")));
        List<OwnerRow> owners = List.of(
                new OwnerRow(owned("b", Side.NEW, 1 << 20, null, 0), amounts("available=100 reserved=0")),
                new OwnerRow(owned("c", Side.LEGACY, 1 << 20, Side.NEW, 0), Amounts.NONE));

        Totals totals =
                new Reconciliation(STILL).run(legacy.iterator(), newer.iterator(), owners.iterator(), key -> {});

        assertThat(totals.of(Side.LEGACY)).isEqualTo(new Totals.Owns(2, amounts("available=9 reserved=3")));
        assertThat(totals.of(Side.NEW)).isEqualTo(new Totals.Owns(1, amounts("available=60 reserved=40")));
        assertThat(totals.merged()).isEqualTo(new Totals.Owns(3, amounts("available=69 reserved=43")));
        assertThat(totals.onlyInLegacy()).isOne();
        assertThat(totals.inBoth()).isEqualTo(2);
        assertThat(totals.moving()).isOne();
        assertThat(totals.addsUp()).isTrue();
    }

    @Test
    void saysWhatItFound() {
        List<KeyReport> reports = new ArrayList<>();
        new Reconciliation(STILL)
                .run(
                        entry("a=6"),
                        entry("a=5"),
                        List.of(row("new", 9, "3600s", "a=7")).iterator(),
                        reports::add);

        assertThat(reports.get(0).findings())
                .extracting(Finding::text)
                .containsExactly(
                        "legacy was written after the hand-over: a=6, handed over was a=7",
                        "on its way to legacy for 1h");
    }

    @Test
    void unsortedInputIsRefusedAndNeverMerged() {
        assertThatThrownBy(() -> run(List.of("b", "a"), List.of()))
                .isInstanceOf(RefusedException.class)
                .hasMessage("legacy was a behind b, but must be sorted by the keys' code points");
        assertThatThrownBy(() -> run(List.of(), List.of("a", "a")))
                .isInstanceOf(RefusedException.class)
                .hasMessage("new was a behind a, but must give each key once");
    }

    @Test
    void aSumBeyondALongIsRefused() {
        Iterator<Entry> legacy = List.of(new Entry("a", amounts("a=" + Long.MAX_VALUE)), new Entry("b", amounts("a=1")))
                .iterator();

        assertThatThrownBy(() -> new Reconciliation(STILL)
                        .run(
                                legacy,
                                List.<Entry>of().iterator(),
                                List.<OwnerRow>of().iterator(),
                                key -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("must add up to a number of 64 bits");
    }

    /** Streams that could not be kept: each is 1,000,000 keys long and made while it is read. */
    @Test
    void keepsNothingOfWhatItHasRead() {
        int keys = 1_000_000;
        long[] told = {0};

        Totals totals = new Reconciliation(STILL)
                .run(
                        IntStream.range(0, keys)
                                .mapToObj(i -> new Entry(String.format("%08d", i), amounts("a=2")))
                                .iterator(),
                        List.<Entry>of().iterator(),
                        List.<OwnerRow>of().iterator(),
                        key -> told[0]++);

        assertThat(told[0]).isEqualTo(keys);
        assertThat(totals.merged()).isEqualTo(new Totals.Owns(keys, amounts("a=" + 2 * keys)));
    }

    private static void run(List<String> legacy, List<String> newer) {
        new Reconciliation(STILL)
                .run(
                        legacy.stream().map(key -> new Entry(key, Amounts.NONE)).iterator(),
                        newer.stream().map(key -> new Entry(key, Amounts.NONE)).iterator(),
                        List.<OwnerRow>of().iterator(),
                        key -> {});
    }

    private static Iterator<Entry> entry(@Nullable String amounts) {
        return (amounts == null ? List.<Entry>of() : List.of(new Entry("k", amounts(amounts)))).iterator();
    }

    private static OwnerRow row(String owner, long epoch, @Nullable String movingFor, @Nullable String handed) {
        Side side = Side.parse(owner);
        long seconds = movingFor == null ? 0 : Long.parseLong(movingFor.replace("s", ""));
        return new OwnerRow(
                owned("k", side, epoch, movingFor == null ? null : side.other(), seconds),
                handed == null ? Amounts.NONE : amounts(handed));
    }

    private static Owned owned(String key, Side side, long epoch, @Nullable Side movingTo, long seconds) {
        return new Owned(key, side, epoch, movingTo, Duration.ofSeconds(seconds));
    }

    private static Amounts amounts(String text) {
        return text.isEmpty() ? Amounts.of(Map.of()) : Amounts.parse(text);
    }
}
