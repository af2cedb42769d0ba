package io.sluice.server.edge;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The names that this server may be called by: localhost, those it was given, and every address in digits. The last need
 * no list, since nobody can point an address somewhere else.
 *
 * @param allowed in lower case
 */
record OwnNames(Set<String> allowed) {
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|\\[[0-9a-fA-F:.]+\\]");

    static OwnNames with(Set<String> given) {
        Set<String> allowed = new TreeSet<>(Set.of("localhost"));
        given.forEach(name -> allowed.add(name.toLowerCase(Locale.ROOT)));
        return new OwnNames(Set.copyOf(allowed));
    }

    /** @param name without a port */
    boolean has(String name) {
        return ADDRESS.matcher(name).matches() || allowed.contains(name.toLowerCase(Locale.ROOT));
    }
}
