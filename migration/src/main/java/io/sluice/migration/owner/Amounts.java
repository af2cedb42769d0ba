package io.sluice.migration.owner;

import io.sluice.core.problem.RefusedException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a ledger holds of one key, by name, like {@code available=7 reserved=3}. Written and read in that form.
 *
 * @param byName names of {@code a-z A-Z 0-9 _} and whole amounts, sorted by name
 */
public record Amounts(SortedMap<String, Long> byName) {
    public static final Amounts NONE = new Amounts(new TreeMap<>());

    /** @throws RefusedException for a name that is not as above */
    public Amounts {
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
        byName.keySet().forEach(Amounts::requireName);
    }

    public static Amounts of(Map<String, Long> byName) {
        return new Amounts(new TreeMap<>(byName));
    }

    /** @throws RefusedException for a text that {@link #toString()} does not write */
    public static Amounts parse(String text) {
        SortedMap<String, Long> byName = new TreeMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
            int sign = part.indexOf('=');
            try {
                byName.put(part.substring(0, Math.max(sign, 0)), Long.parseLong(part.substring(sign + 1)));
            } catch (NumberFormatException notANumber) {
                throw new RefusedException("amounts", part, "must be a name, = and a whole number");
            }
        }
        Amounts amounts = new Amounts(byName);
        // A name that stands there twice, for one, would lose an amount.
        if (!amounts.toString().equals(text)) {
            throw new RefusedException(
                    "amounts", text, "must be sorted by name, each once, numbers as short as can be");
        }
        return amounts;
    }

    @Override
    public String toString() {
        return byName.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(" "));
    }

    private static void requireName(String name) {
        if (!name.matches("[a-zA-Z0-9_]{1,63}")) {
            throw new RefusedException(
                    "amounts", name.isEmpty() ? "no name" : name, "must have 1..63 of a-z A-Z 0-9 _");
        }
    }
}
