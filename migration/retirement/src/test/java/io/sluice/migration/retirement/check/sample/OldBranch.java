package io.sluice.migration.retirement.check.sample;

import io.sluice.migration.retirement.Retire;
import java.util.function.Function;

@Retire(migration = "inventory", after = "2027-03-31")
public class OldBranch implements Function<String, Integer> {
    /** Its bridge carries the annotation too. */
    @Override
    @Retire(migration = "inventory", after = "2027-03-31", part = "adapter")
    public Integer apply(String sku) {
        return 1;
    }

    @Retire(migration = "orders", after = "2027-01-01")
    static final class Row {}
}
