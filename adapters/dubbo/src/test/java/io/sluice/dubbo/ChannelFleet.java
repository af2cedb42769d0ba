package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.decision.Percent;
import io.sluice.core.routing.ColorWeights;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.wire.RuleSetJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Services b, c and d of one channel in release: two blue and three green processes at a real registry, called by a process
 * with Sluice and by a stranger without. Started once for all tests of a class.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ChannelFleet {
    static final int BLUES = 2;
    static final int GREENS = 3;
    private static final String ALL = "{blue=100,100, green=100,100,100}";

    @TempDir
    private static Path files;

    final List<ChildProcess> providers = new ArrayList<>();
    TestRegistry registry;
    ChildProcess caller;
    ChildProcess stranger;
    private long revision = 1;

    abstract TestRegistry startRegistry() throws Exception;

    /** What providers speak. */
    String protocol() {
        return "dubbo";
    }

    @BeforeAll
    void start() throws Exception {
        registry = startRegistry();
        for (int i = 1; i <= BLUES; i++) {
            providers.add(provider("blue", i, resting()));
        }
        for (int i = 1; i <= GREENS; i++) {
            providers.add(provider("green", i, resting()));
        }
        caller = child(resting(), "caller", "100", "-", "0");
        stranger = child(resting(), "stranger", "100", "-", "0");
        everybody().forEach(ChildProcess::awaitReady);
    }

    @AfterAll
    void stop() throws Exception {
        for (ChildProcess child : everybody().toList()) {
            child.close();
        }
        registry.close();
    }

    @BeforeEach
    void rest() {
        publish(null, null);
        awaitWeights(ALL);
        // And all the others of all they call: a test before may have taken a side out of the registry.
        await().untilAsserted(() ->
                assertThat(everybody()).extracting(each -> each.order("known")).containsOnly("[" + ALL + "]"));
    }

    ChildProcess provider(String color, int number, RuleSet rules) throws IOException {
        return child(rules, "provider", "100", color, String.valueOf(number));
    }

    /** @param delay for how long it holds back what its registry tells, in milliseconds; empty for Dubbo's usual time */
    ChildProcess child(RuleSet rules, String kind, String delay, String color, String number) throws IOException {
        return ChildProcess.start(files, text(rules), kind, registry.url(), protocol(), delay, color, number);
    }

    Stream<ChildProcess> everybody() {
        return Stream.concat(providers.stream(), Stream.of(caller, stranger));
    }

    void publish(@Nullable Integer blue, @Nullable Color closed) {
        String document = text(rules(blue, closed));
        everybody().forEach(each -> each.order("rules " + document));
    }

    static RuleSet resting() {
        return RuleSet.of(1, 1, List.of(), List.of(Channel.of("trade", List.of("b", "c", "d"))));
    }

    RuleSet rules(@Nullable Integer blue, @Nullable Color closed) {
        Flow flow = blue == null ? null : flow(blue, closed);
        Channel channel = new Channel("trade", List.of("b", "c", "d"), flow, Set.of());
        return RuleSet.of(1, ++revision, List.of(), List.of(channel));
    }

    Flow flow(int blue, @Nullable Color closed) {
        return new Flow(
                "trade-2026-11",
                "v2",
                Color.BLUE,
                Percent.of(blue),
                closed,
                revision,
                Duration.ofSeconds(1),
                Duration.ofSeconds(30));
    }

    static String text(RuleSet rules) {
        return new String(RuleSetJson.write(rules), StandardCharsets.UTF_8).strip();
    }

    ColorWeights awaitPlan(int blue) {
        ColorWeights plan = ColorWeights.plan(Percent.of(blue), BLUES, GREENS);
        awaitWeights("{blue=" + times(BLUES, plan.blue()) + ", green=" + times(GREENS, plan.green()) + "}");
        return plan;
    }

    private static String times(int instances, int weight) {
        return String.join(",", Collections.nCopies(instances, String.valueOf(weight)));
    }

    /** Waits until the stranger has the weights from the registry. */
    void awaitWeights(String weights) {
        await().pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(stranger.order("weights")).isEqualTo(weights));
    }

    long underWay() {
        return providers.stream()
                .mapToLong(each -> Long.parseLong(each.order("served").split(" ")[1]))
                .sum();
    }

    long crossed() {
        return providers.stream()
                .mapToLong(each -> Long.parseLong(each.order("served").split(" ")[2]))
                .sum();
    }

    /** As {@code {blue=3, green=5}}. */
    static Map<String, Long> tallies(String answer) {
        Map<String, Long> tallies = new TreeMap<>();
        for (String each : answer.substring(1, answer.length() - 1).split(", ")) {
            int equals = each.lastIndexOf('=');
            if (equals > 0) {
                tallies.put(each.substring(0, equals), Long.parseLong(each.substring(equals + 1)));
            }
        }
        return tallies;
    }
}
