package io.sluice.migration.retirement.check.sample;

import io.sluice.migration.retirement.Retire;
import java.util.Map;

public class Wiring {
    @Retire(migration = "inventory", after = "2027-03-31", part = "shadow reads")
    static final int SAMPLED_PERCENT = 5;

    static final int KEPT = 1;

    @Retire(migration = "inventory", after = "2027-03-31", part = "routing")
    Wiring() {}

    Wiring(int kept) {}

    @Retire(migration = "inventory", after = "2027-03-31", part = "routing")
    Object router(String name, Map.Entry<String, int[]> entry) {
        return name;
    }

    Object router(String kept) {
        return kept;
    }
}
