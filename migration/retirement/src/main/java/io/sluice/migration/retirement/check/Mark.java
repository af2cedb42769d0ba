package io.sluice.migration.retirement.check;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Locale;

/**
 * One place that carries {@code @Retire}.
 *
 * @param element what it is
 * @param typeName the binary name of the class that is marked or has the marked member; the package's name for a package
 * @param member the name of a field or method, {@code <init>} for a constructor, empty for a class or package
 * @param parameters what a method or constructor takes, like {@code String, int}; empty for anything else
 * @param migration the migration that leaves it behind
 * @param lastDay the last day (UTC) on which a build may contain it
 * @param part what it is of the migration, like {@code old branch}
 * @param sourceFile the name of the file that it was compiled from, without directories; empty when it is not known
 */
public record Mark(
        Element element,
        String typeName,
        String member,
        String parameters,
        String migration,
        LocalDate lastDay,
        String part,
        String sourceFile) {
    /** What a mark may stand at. */
    public enum Element {
        PACKAGE,
        CLASS,
        FIELD,
        CONSTRUCTOR,
        METHOD
    }

    /**
     * Migration by migration, what uses the other parts before what they use: first what chooses between the branches,
     * then what compares them, then the rest, which nothing uses any more by then. Members stand before their class,
     * classes before their package, since they have to be looked at one by one only if the whole does not go.
     */
    public static final Comparator<Mark> DELETION_ORDER = Comparator.comparing(Mark::migration)
            .thenComparingInt(Mark::step)
            .thenComparing(Mark::part)
            .thenComparing(Mark::typeName)
            .thenComparing(Mark::member)
            .thenComparing(Mark::parameters);

    /** Which deletion it belongs to: 1 routing, 2 shadow reads, 3 anything else. By the words of its part. */
    public int step() {
        String words = part.toLowerCase(Locale.ROOT);
        if (words.contains("rout")) {
            return 1;
        }
        return words.contains("shadow") ? 2 : 3;
    }

    /** For how many days a build may not contain it any more; 0 or less while it still may. */
    public long daysOver(LocalDate today) {
        return ChronoUnit.DAYS.between(lastDay, today);
    }

    /** Where it is, like {@code method io.shop.Wiring.router(String, int)}. */
    public String place() {
        return place(element, typeName, member, parameters);
    }

    static String place(Element element, String typeName, String member, String parameters) {
        return switch (element) {
            case PACKAGE -> "package " + typeName;
            case CLASS -> "class " + typeName;
            case FIELD -> "field " + typeName + "." + member;
            case CONSTRUCTOR -> "constructor " + typeName + "(" + parameters + ")";
            case METHOD -> "method " + typeName + "." + member + "(" + parameters + ")";
        };
    }
}
