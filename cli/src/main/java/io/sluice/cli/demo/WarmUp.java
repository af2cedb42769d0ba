package io.sluice.cli.demo;

import io.sluice.cli.demo.load.ShopClient;
import io.sluice.cli.demo.load.Visit;
import io.sluice.core.identity.Identity;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Requests before the release, to every instance at its own address: a JVM's first requests are slow, and would be held
 * against the new version.
 */
public final class WarmUp {
    private static final int ROUNDS = 40;
    private static final int AT_ONCE = 8;
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final Identity CUSTOMER = Identity.ofCustomer("warm-up");
    private static final Visit VISIT = new Visit(0, CUSTOMER, TagCodec.format(tag()));

    private final ShopClient client;

    public WarmUp(ShopClient client) {
        this.client = client;
    }

    /** Asks one address again and again, for a few seconds at most. */
    public void warm(URI address) {
        long end = System.nanoTime() + LONGEST.toNanos();
        for (int round = 0; round < ROUNDS && System.nanoTime() - end < 0; round++) {
            CompletableFuture.allOf(IntStream.range(0, AT_ONCE)
                            .mapToObj(i -> client.get(address, VISIT))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
    }

    private static TrafficTag tag() {
        return new TrafficTag(CUSTOMER.customer(), "", List.of());
    }
}
