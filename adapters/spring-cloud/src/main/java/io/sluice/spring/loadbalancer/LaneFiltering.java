package io.sluice.spring.loadbalancer;

import io.sluice.core.rule.RuleSource;
import io.sluice.spring.SluiceSettings;
import io.sluice.spring.report.SluiceMeters;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.loadbalancer.core.RetryAwareServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;

/**
 * Puts the filter around every supplier of a client's context, whoever made it: as the last layer it is above every
 * cache, and whatever it gets from below, only eligible instances leave.
 */
final class LaneFiltering implements BeanPostProcessor {
    private final ObjectProvider<RuleSource> rules;
    private final ObjectProvider<SluiceSettings> settings;
    private final ObjectProvider<SluiceMeters> meters;

    LaneFiltering(
            ObjectProvider<RuleSource> rules,
            ObjectProvider<SluiceSettings> settings,
            ObjectProvider<SluiceMeters> meters) {
        this.rules = rules;
        this.settings = settings;
        this.meters = meters;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof ServiceInstanceListSupplier supplier && !isFiltered(supplier)
                ? new LaneFilteringSupplier(supplier, rules.getObject(), settings.getObject(), meters.getObject())
                : bean;
    }

    // Spring puts its retry layer over a bean of ours, and it must stay there: it takes the instance that failed out of
    // what is eligible, and puts it back when no other is left.
    private static boolean isFiltered(ServiceInstanceListSupplier supplier) {
        return supplier instanceof RetryAwareServiceInstanceListSupplier retry
                && retry.getDelegate() instanceof LaneFilteringSupplier;
    }
}
