package io.sluice.core.identity;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/**
 * A set of customers that is asked at every decision. Immutable.
 *
 * <p>Nearly nobody is in it, so a word of 64 bits, one for each hash that occurs, answers most questions before the set
 * is looked into.
 */
public final class Customers extends AbstractSet<String> {
    private final Set<String> ids;
    private final long hashes;

    private Customers(Set<String> ids) {
        this.ids = ids;
        long bits = 0;
        for (String id : ids) {
            bits |= 1L << id.hashCode();
        }
        this.hashes = bits;
    }

    public static Customers of(Collection<String> ids) {
        return ids instanceof Customers same ? same : new Customers(new HashSet<>(ids));
    }

    /** Whether a customer is in it; the empty id never is. */
    public boolean has(String customer) {
        return (hashes & 1L << customer.hashCode()) != 0 && ids.contains(customer);
    }

    @Override
    public boolean contains(Object customer) {
        return customer instanceof String id && has(id);
    }

    @Override
    public Iterator<String> iterator() {
        return Collections.unmodifiableSet(ids).iterator();
    }

    @Override
    public int size() {
        return ids.size();
    }
}
