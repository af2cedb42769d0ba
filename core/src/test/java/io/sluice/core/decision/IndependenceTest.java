package io.sluice.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether two releases pick their customers independently, over the salts of twelve years of monthly releases. */
@Requirement("A5")
class IndependenceTest {
    private static final String[] CUSTOMERS = Customers.numbered(100_000);
    private static final List<String> SALTS = IntStream.range(0, 144)
            .mapToObj(month -> String.format("release-%d-%02d", 2020 + month / 12, 1 + month % 12))
            .toList();

    @ParameterizedTest(name = "at {0} %")
    @ValueSource(ints = {1, 10, 50})
    void overlapsOfMixedSplitsSpreadAsChanceWould(int percent) {
        List<Double> deviations = deviationsOfAllPairs(BucketHash.FNV1A_MIXED, percent);

        assertThat(deviations).hasSize(10_296);
        assertThat(standardDeviation(deviations)).isBetween(0.97, 1.03);
    }

    @Test
    void noTwoMixedSplitsShareMoreOrLessThanChanceWould() {
        List<Double> deviations = deviationsOfAllPairs(BucketHash.FNV1A_MIXED, 50);

        assertThat(deviations).allSatisfy(sigmas -> assertThat(sigmas).isBetween(-5.0, 5.0));
    }

    @Test
    void overlapsOfPlainSplitsDoNot() {
        List<Double> deviations = deviationsOfAllPairs(BucketHash.FNV1A, 50);

        assertThat(standardDeviation(deviations)).isGreaterThan(10);
    }

    @Test
    void plainSplitsOfTwoKnownMonthsShareThreeQuartersOfTheirHalves() {
        BitSet october = canaries(BucketHash.FNV1A, "release-2026-10", 50);
        BitSet february = canaries(BucketHash.FNV1A, "release-2025-02", 50);

        double plain = (double) overlap(october, february) / october.cardinality();

        assertThat(plain).isBetween(0.73, 0.74);
    }

    @ParameterizedTest(name = "mod {0}")
    @ValueSource(ints = {2, 4, 8, 16})
    void lowDigitsOfMixedBucketsTellNothingAboutAnotherRelease(int modulus) {
        double shared = sharedInformation(BucketHash.FNV1A_MIXED, "release-2026-10", "release-2026-11", modulus);

        assertThat(shared).isLessThan(0.001);
    }

    @ParameterizedTest(name = "mod {0}")
    @ValueSource(ints = {2, 4})
    void lowDigitsOfPlainBucketsAreTheSameSplitInEveryRelease(int modulus) {
        double shared = sharedInformation(BucketHash.FNV1A, "release-2026-10", "release-2026-11", modulus);

        assertThat(shared).isGreaterThan(0.999);
    }

    /** By how many standard deviations the common customers of each pair of salts differ from what chance would give. */
    private static List<Double> deviationsOfAllPairs(BucketHash hash, int percent) {
        List<BitSet> splits =
                SALTS.stream().map(salt -> canaries(hash, salt, percent)).toList();
        List<Double> deviations = new ArrayList<>();
        for (int a = 0; a < splits.size(); a++) {
            for (int b = a + 1; b < splits.size(); b++) {
                deviations.add(deviation(splits.get(a), splits.get(b)));
            }
        }
        return deviations;
    }

    private static double deviation(BitSet a, BitSet b) {
        double all = CUSTOMERS.length;
        double shareA = a.cardinality() / all;
        double shareB = b.cardinality() / all;
        double variance = all * shareA * shareB * (1 - shareA) * (1 - shareB);
        return (overlap(a, b) - all * shareA * shareB) / Math.sqrt(variance);
    }

    private static BitSet canaries(BucketHash hash, String salt, int percent) {
        Bucketing bucketing = Bucketing.of(hash, salt);
        BitSet canaries = new BitSet(CUSTOMERS.length);
        for (int i = 0; i < CUSTOMERS.length; i++) {
            canaries.set(i, bucketing.bucket(CUSTOMERS[i]) < percent * 100);
        }
        return canaries;
    }

    private static int overlap(BitSet a, BitSet b) {
        BitSet both = (BitSet) a.clone();
        both.and(b);
        return both.cardinality();
    }

    private static double standardDeviation(List<Double> deviations) {
        return Math.sqrt(deviations.stream().mapToDouble(d -> d * d).average().orElseThrow());
    }

    /** Mutual information of the two remainders, as a share of all there is. */
    private static double sharedInformation(BucketHash hash, String oneSalt, String otherSalt, int modulus) {
        Bucketing one = Bucketing.of(hash, oneSalt);
        Bucketing other = Bucketing.of(hash, otherSalt);
        double[][] joint = new double[modulus][modulus];
        double[] rows = new double[modulus];
        double[] columns = new double[modulus];
        double each = 1.0 / CUSTOMERS.length;
        for (String customer : CUSTOMERS) {
            int row = one.bucket(customer) % modulus;
            int column = other.bucket(customer) % modulus;
            joint[row][column] += each;
            rows[row] += each;
            columns[column] += each;
        }
        double shared = 0;
        for (int row = 0; row < modulus; row++) {
            for (int column = 0; column < modulus; column++) {
                double p = joint[row][column];
                shared += p == 0 ? 0 : p * Math.log(p / rows[row] / columns[column]) / Math.log(modulus);
            }
        }
        return shared;
    }
}
