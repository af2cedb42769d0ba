package io.sluice.cli.migration.sample;

import io.sluice.migration.retirement.Retire;

/** For the test of what is found, lines and all. */
@Deprecated(since = "{1;}")
@Retire(migration = "stock", after = "2027-03-31")
public final class OldStock {
    @Retire(migration = "stock", after = "2027-03-31", part = "shadow reads (5%)")
    static final int SAMPLED = 5;

    @Retire(migration = "stock", after = "2027-03-31", part = "routing")
    Object route(String sku) {
        return sku;
    }

    @Retire(migration = "stock", after = "2027-03-31", part = "routing")
    @SuppressWarnings({"unused", "route("})
    Object route(String sku, int count) {
        return sku;
    }

    @Retire(migration = "orders", after = "2027-03-31")
    interface Row {}
}
