package io.sluice.migration.ledger;

import io.sluice.core.problem.RefusedException;
import java.util.Iterator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Something with a key each, which must come in the order of the keys' code points, each key once. */
final class Sorted<T> {
    private final String name;
    private final Iterator<T> rest;
    private final Function<T, String> keyOf;
    private @Nullable T head;
    private @Nullable String key;

    /** @param name of it, for refusals */
    Sorted(String name, Iterator<T> rest, Function<T, String> keyOf) {
        this.name = name;
        this.rest = rest;
        this.keyOf = keyOf;
        step();
    }

    /** The key of the next one; null at the end. */
    @Nullable
    String key() {
        return key;
    }

    /** The next one, if it has that key. */
    @Nullable
    T take(String wanted) {
        if (!wanted.equals(key)) {
            return null;
        }
        T taken = head;
        step();
        return taken;
    }

    private void step() {
        if (!rest.hasNext()) {
            head = null;
            key = null;
            return;
        }
        T next = rest.next();
        String nextKey = keyOf.apply(next);
        if (key != null && compare(key, nextKey) >= 0) {
            // Going on would miss keys, or see some twice, and call that a finding.
            throw new RefusedException(
                    name,
                    nextKey + " behind " + key,
                    nextKey.equals(key) ? "must give each key once" : "must be sorted by the keys' code points");
        }
        head = next;
        key = nextKey;
    }

    /** By code points, as PostgreSQL's collation "C" sorts UTF-8; Java compares halves of the higher ones. */
    static int compare(String a, String b) {
        int end = Math.min(a.length(), b.length());
        for (int i = 0; i < end; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean isHigh = Character.isSurrogate(x);
                return isHigh == Character.isSurrogate(y) ? Character.compare(x, y) : isHigh ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
