package io.sluice.core.identity;

/**
 * An outline of identities in three words: which hashes of customers, endings of customers' ids and channels occur. Two
 * outlines that do not meet have nobody in common; two that meet may have. Immutable.
 *
 * <p>Each request carries its own, and a set of conditions the union of all that it names, so one look tells most
 * requests that no condition is about them.
 */
public final class Traits {
    private static final Traits NONE = new Traits(0, 0, 0);

    private final long customers;
    private final long endings;
    private final long channels;

    private Traits(long customers, long endings, long channels) {
        this.customers = customers;
        this.endings = endings;
        this.channels = channels;
    }

    /** Of nobody: meets nothing. */
    public static Traits none() {
        return NONE;
    }

    public static Traits ofCustomer(String customer) {
        return customer.isEmpty() ? NONE : new Traits(1L << customer.hashCode(), 0, 0);
    }

    /** Of all customers whose id ends so; an ending of one character may follow any other, so it meets everybody. */
    public static Traits ofEnding(String ending) {
        return new Traits(0, ending.length() < 2 ? -1L : endingBit(ending), 0);
    }

    public static Traits ofChannel(String channel) {
        return channel.isEmpty() ? NONE : new Traits(0, 0, 1L << channel.hashCode());
    }

    static Traits of(String customer, String channel) {
        long ending = customer.isEmpty() ? 0 : customer.length() < 2 ? -1L : endingBit(customer);
        return new Traits(ofCustomer(customer).customers, ending, ofChannel(channel).channels);
    }

    public Traits union(Traits other) {
        return new Traits(customers | other.customers, endings | other.endings, channels | other.channels);
    }

    public boolean meets(Traits other) {
        return ((customers & other.customers) | (endings & other.endings) | (channels & other.channels)) != 0;
    }

    private static long endingBit(String text) {
        return 1L << (text.charAt(text.length() - 2) * 10 + text.charAt(text.length() - 1));
    }
}
