package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.CustomerSketch;
import io.sluice.core.observation.CustomerTally;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.ObservationKey;
import io.sluice.core.observation.Tally;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import io.sluice.wire.ObservationBatch.Entry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ObservationBatchJsonTest {
    private static final String JSON = """
            {"instance":"order@127.0.0.1:8081","service":"order","version":"v2.1.0","run":123,"sequence":7,\
            "entries":[{"release":"release-2026-10","step":3,"lane":"canary","count":10,"failed":1,"slow":0,\
            "latencies":{"120":4,"133":6}}]}""";

    private static final String SEEN = "AEH/9w";
    private static final String WITH_CUSTOMERS = JSON.replace("}}]}", "},\"seen\":\"" + SEEN + """
            ","failedLevel":3,"failedCustomers":"AAAAAAAAAAgAAAAAAAAAEA","anonymous":5,"anonymousFailed":2,\
            "anonymousSlow":1,"overdue":4}]}""");

    @Test
    void batchIsReadAndWrittenBackByteForByte() {
        ObservationBatch batch = ObservationBatchJson.read(JSON.getBytes(UTF_8));

        assertThat(batch)
                .isEqualTo(new ObservationBatch(
                        "order@127.0.0.1:8081",
                        "order",
                        "v2.1.0",
                        7,
                        123,
                        List.of(new Entry(
                                new ObservationKey("release-2026-10", 3, Lane.CANARY),
                                LaneTally.of(new Tally(10, 1, 0, new TreeMap<>(Map.of(120, 4L, 133, 6L))))))));
        assertThat(batch.requests()).isEqualTo(10);
        assertThat(new String(ObservationBatchJson.write(batch), UTF_8)).isEqualTo(JSON);
    }

    @Requirement("B5")
    @Test
    void customersAreReadAndWrittenBackByteForByte() {
        ObservationBatch batch = ObservationBatchJson.read(WITH_CUSTOMERS.getBytes(UTF_8));

        LaneTally tally = batch.entries().get(0).tally();
        CustomerTally customers = tally.customers();
        assertThat(customers.seen().estimate()).isEqualTo(2);
        assertThat(customers.failed().level()).isEqualTo(3);
        assertThat(customers.failed().stream()).containsExactly(8L, 16L);
        assertThat(customers.slow()).isEqualTo(CustomerSample.empty());
        assertThat(customers.anonymous()).isEqualTo(5);
        assertThat(customers.anonymousFailed()).isEqualTo(2);
        assertThat(customers.anonymousSlow()).isEqualTo(1);
        assertThat(tally.overdue()).isEqualTo(4);
        assertThat(batch.requests()).isEqualTo(10);
        assertThat(new String(ObservationBatchJson.write(batch), UTF_8)).isEqualTo(WITH_CUSTOMERS);
    }

    @Test
    void aLevelOfWhichNobodyIsLeftIsToldAll() {
        LaneTally nobodyLeft = new LaneTally(
                Tally.empty(),
                new CustomerTally(
                        CustomerSketch.empty(),
                        CustomerSample.empty(),
                        CustomerSample.of(7, 1, LongStream.empty()),
                        0,
                        0,
                        0),
                0);

        byte[] json = ObservationBatchJson.write(batchOf(nobodyLeft));

        assertThat(new String(json, UTF_8)).contains("\"slowLevel\":7}").doesNotContain("slowCustomers");
        assertThat(ObservationBatchJson.read(json).entries().get(0).tally()).isEqualTo(nobodyLeft);
    }

    @Requirement("B7")
    @Test
    void anEntryMayTellOfNothingButOverdueRequests() {
        LaneTally overdue = new LaneTally(Tally.empty(), CustomerTally.empty(), 3);

        ObservationBatch read = ObservationBatchJson.read(ObservationBatchJson.write(batchOf(overdue)));

        assertThat(read.entries().get(0).tally()).isEqualTo(overdue);
        assertThat(read.requests()).isZero();
    }

    @Test
    void anInstanceThatReportsMoreThanAMillionIsRefused() {
        String million = with("\"count\":10", "\"count\":1000000").replace("\"133\":6", "\"133\":999996");

        assertThat(ObservationBatchJson.read(million.getBytes(UTF_8)).requests())
                .isEqualTo(1_000_000);
        assertThat(problemsOf(million.replace("1000000", "1000001").replace("999996", "999997")))
                .extracting(Problem::toString)
                .containsExactly("entries[0].count was 1000001, but must be a whole number within 0..1000000");
        assertThat(problemsOf(with("\"overdue\":4", "\"overdue\":1000001")))
                .extracting(Problem::toString)
                .containsExactly("entries[0].overdue was 1000001, but must be a whole number within 0..1000000");
    }

    @Test
    void everyProblemOfTheCustomersIsNamedAtOnce() {
        String seen = "\"seen\":\"" + SEEN + "\"";
        String json = with(seen, "\"seen\":\"AAA\"")
                .replace("\"failedLevel\":3", "\"failedLevel\":41,\"slowLevel\":5,\"slowCustomers\":\"AAAAAAAAAAg\"")
                .replace("\"anonymous\":5", "\"anonymous\":-5")
                .replace("\"anonymousFailed\":2", "\"anonymousFailed\":null")
                .replace("\"anonymousSlow\":1", "\"anonymousSlow\":0.5")
                .replace("\"overdue\":4", "\"overdue\":\"4\"");

        assertThat(problemsOf(json))
                .extracting(Problem::path)
                .containsExactly(
                        "entries[0].seen",
                        "entries[0].failedLevel",
                        "entries[0].slowCustomers",
                        "entries[0].anonymous",
                        "entries[0].anonymousFailed",
                        "entries[0].anonymousSlow",
                        "entries[0].overdue");
    }

    @Test
    void contradictionsOfRequestsAndOfCustomersAreNamedTogether() {
        String json = with("\"slow\":0", "\"slow\":11").replace("\"anonymousFailed\":2", "\"anonymousFailed\":6");

        assertThat(problemsOf(json))
                .extracting(Problem::toString)
                .containsExactly(
                        "entries[0].slow was 11, but must be within 0..count",
                        "entries[0].anonymousFailed was 6, but must be within 0..anonymous");
    }

    @Test
    void numbersThatContradictEachOtherAreRefusedWithTheirPath() {
        List<Problem> problems =
                problemsOf(JSON.replace("\"count\":10", "\"count\":5").replace("\"failed\":1", "\"failed\":6"));

        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "entries[0].failed was 6, but must be within 0..count",
                        "entries[0].latencies was 10 in sum, but must sum to count, 5");
    }

    @Test
    void allProblemsAreNamedAtOnceEachWithItsPath() {
        List<Problem> problems = problemsOf("""
                {"instance":"a b","service":"","version":"v 2","run":-1,"sequence":1.5,
                 "entries":[{"release":"R","step":-3,"lane":"green","count":1000001,"failed":"1","slow":null,
                             "latencies":{"x":4,"133":-6}}]}
                """);

        assertThat(problems)
                .extracting(Problem::path)
                .containsExactly(
                        "instance",
                        "service",
                        "version",
                        "run",
                        "sequence",
                        "entries[0].release",
                        "entries[0].step",
                        "entries[0].lane",
                        "entries[0].count",
                        "entries[0].failed",
                        "entries[0].slow",
                        "entries[0].latencies");
    }

    private static String with(String was, String is) {
        assertThat(WITH_CUSTOMERS).contains(was);
        return WITH_CUSTOMERS.replace(was, is);
    }

    private static ObservationBatch batchOf(LaneTally tally) {
        Entry entry = new Entry(new ObservationKey("r1", 3, Lane.CANARY), tally);
        return new ObservationBatch("order@1", "order", "v2", 7, 123, List.of(entry));
    }

    private static List<Problem> problemsOf(String json) {
        return catchThrowableOfType(RefusedException.class, () -> ObservationBatchJson.read(json.getBytes(UTF_8)))
                .problems();
    }
}
