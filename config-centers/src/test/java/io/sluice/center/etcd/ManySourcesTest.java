package io.sluice.center.etcd;

import static org.awaitility.Awaitility.await;

import io.sluice.center.CenterRuleSource;
import io.sluice.center.ConfigCenter;
import io.sluice.center.Rules;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.EtcdProcess;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As many processes as a company has; how soon is measured by {@code DelayBench}. */
@NeedsProgram(value = EtcdProcess.PROGRAM, install = EtcdProcess.INSTALL)
@Timeout(300)
class ManySourcesTest {
    private static final int SOURCES = 100;
    private static final Duration WRITE_WITHIN = Duration.ofSeconds(30);

    @Test
    @Requirement("D6")
    void aChangeReachesAHundredSources() throws Exception {
        List<CenterRuleSource> sources = new ArrayList<>();
        try (RealEtcd etcd = new RealEtcd();
                ConfigCenter writer = etcd.connect("rules")) {
            writer.write(Rules.envelope(Rules.at(1, 10)), WRITE_WITHIN);
            for (int i = 0; i < SOURCES; i++) {
                sources.add(CenterRuleSource.builder(etcd.connect("rules")).start());
            }
            awaitAll(sources, Rules.at(1, 10));

            writer.write(Rules.envelope(Rules.at(2, 50)), WRITE_WITHIN);

            awaitAll(sources, Rules.at(2, 50));
        } finally {
            sources.forEach(CenterRuleSource::close);
        }
    }

    private static void awaitAll(List<CenterRuleSource> sources, RuleSet rules) {
        await().until(() -> sources.stream().allMatch(source -> source.current().equals(rules)));
    }
}
