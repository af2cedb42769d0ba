package io.sluice.center;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleState;
import io.sluice.testing.Line;
import io.sluice.testing.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a config centre with a server must do besides: a line to a server may fall silent. */
public abstract class ServedCenterContract extends ConfigCenterContract {
    @Override
    protected abstract RealServer startCenter() throws Exception;

    protected RealServer server() {
        return (RealServer) real;
    }

    /** No end of the connection is ever told: what F8 asks of our own stream. */
    @Test
    @Requirement("F8")
    void aLineThatFallsSilentIsNoticedAndMended() {
        try (Line line = Line.to(server().port())) {
            put(R7);
            CenterRuleSource source = follow(CenterRuleSource.builder(server().connect(line.port(), name)));
            warmUp(source);

            line.silence();
            await().until(() -> source.state() == RuleState.STALE && source.failedReads() > 0);

            RuleSet newest = Rules.at(2_000, 50);
            put(newest);
            line.mend();
            await().until(() -> source.current().equals(newest));
        }
    }

    @Test
    void aCentreThatIsNotThereIsNoAnswerInTheTimeGiven() {
        try (Line line = Line.to(server().port())) {
            line.silence();
            ConfigCenter away = open(server().connect(line.port(), name));
            long began = System.nanoTime();

            assertThatThrownBy(() -> away.read(Duration.ofSeconds(1)))
                    .isInstanceOfSatisfying(
                            CenterException.class,
                            failure -> assertThat(failure.isDenied()).isFalse());
            assertThatThrownBy(() -> away.write(new byte[] {1}, Duration.ofSeconds(1)))
                    .isInstanceOf(CenterException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(4));
        }
    }
}
