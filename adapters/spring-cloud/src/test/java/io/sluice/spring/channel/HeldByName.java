package io.sluice.spring.channel;

import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.RuleState;
import io.sluice.spring.TestChannels;
import java.util.function.Consumer;
import org.springframework.core.env.Environment;

/** Rules by which a rolling release has taken out this very instance of coupon, whatever port it will get. */
final class HeldByName implements RuleSource {
    private final Environment environment;

    HeldByName(Environment environment) {
        this.environment = environment;
    }

    @Override
    public RuleSet current() {
        String port = environment.getProperty("local.server.port");
        return port == null ? TestChannels.resting(1) : TestChannels.restingOfPromo(1, "coupon@127.0.0.1:" + port);
    }

    @Override
    public RuleState state() {
        return RuleState.FRESH;
    }

    @Override
    public Subscription subscribe(Consumer<RuleSet> listener) {
        listener.accept(current());
        return () -> {};
    }

    @Override
    public void close() {}
}
