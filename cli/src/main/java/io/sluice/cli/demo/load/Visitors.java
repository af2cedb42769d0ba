package io.sluice.cli.demo.load;

import io.sluice.core.identity.Identity;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Who comes to the shop: customers who come again and again, strangers, and some who forge a tag. For one thread. */
public final class Visitors {
    /** How many customers there are. */
    public static final int CUSTOMERS = 2_000;

    private static final int STRANGERS_PERCENT = 20;
    private static final int FORGERS_PERCENT = 2;

    private final Random random = new Random();
    private final Assignment coveted;
    private long visits;

    /** @param coveted the canary that forgers claim to be on */
    public Visitors(Assignment coveted) {
        this.coveted = coveted;
    }

    public Visit next() {
        Identity who = random.nextInt(100) < STRANGERS_PERCENT
                ? Identity.ofRequest(UUID.randomUUID().toString())
                : Identity.ofCustomer(customer(1 + random.nextInt(CUSTOMERS)));
        return new Visit(visits++, who, random.nextInt(100) < FORGERS_PERCENT ? forgedTag(who) : "");
    }

    /** The id of a customer, 1..{@value #CUSTOMERS}. */
    public static String customer(int number) {
        return "c-%07d".formatted(number);
    }

    private String forgedTag(Identity who) {
        return TagCodec.format(new TrafficTag(who.customer(), "", List.of(coveted)));
    }
}
