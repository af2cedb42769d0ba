package io.sluice.wire;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Alpha;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Stage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * One JSON object while it is read. Every reading notes what is wrong instead of throwing; {@link #end} throws all of it
 * together, so the user sees every problem of a document at once (of a hopeless one, the first hundred or so).
 *
 * <pre>{@code
 * Read<String> name = in.text("name", Names::requireId);
 * Read<Percent> percent = in.percent("percent");
 * return in.end(() -> new Share(name.get(), percent.get()));
 * }</pre>
 *
 * <p>For the codecs of this module. Used by one thread.
 */
public final class Fields {
    /** The largest whole number that every JSON reader holds exactly. */
    public static final long LARGEST_WHOLE = (1L << 53) - 1;

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern SMALL_INDEX = Pattern.compile("0|[1-9][0-9]{0,5}");
    private static final int LARGEST_SCALE = 20;

    // So that a megabyte of nonsense is not answered with a hundred megabytes of problems.
    private static final int MOST_PROBLEMS = 100;

    private final ObjectNode node;
    private final String self;
    private final boolean strict;
    private final Problems problems = new Problems();
    private final Set<String> known = new LinkedHashSet<>();

    private Fields(ObjectNode node, String self, boolean strict) {
        this.node = node;
        this.self = self;
        this.strict = strict;
    }

    /** @param strict whether fields that are not asked for are a problem */
    static Fields of(ObjectNode document, boolean strict) {
        return new Fields(document, JsonText.DOCUMENT, strict);
    }

    /** Ends the reading: makes the whole if nothing was wrong with its parts. */
    public <T> T end(Supplier<T> whole) {
        if (strict) {
            refuseUnknown();
        }
        problems.throwIfAny();
        return whole.get();
    }

    /** Whether it stands there; from now on it may. */
    public boolean has(String field) {
        known.add(field);
        return node.has(field);
    }

    /** Whether it stands there, without making it one of the fields that may. */
    boolean peek(String field) {
        return node.has(field);
    }

    /** Whether anything stands there but one text; what cannot be told from here is left to who reads it. */
    boolean isOther(String field, String text) {
        @Nullable JsonNode value = node.get(field);
        return value != null
                && !(value instanceof StringNode known && known.stringValue().equals(text));
    }

    /** Whether a person wrote the document, who should hear of everything that cannot be meant. */
    boolean isStrict() {
        return strict;
    }

    int size() {
        return node.size();
    }

    /** Which fields stand there, in the words of a problem. */
    String describeNames() {
        return node.isEmpty() ? "empty" : String.join(", ", node.propertyNames());
    }

    /** Notes a problem of the whole object. */
    void refuse(String was, String allowed) {
        problems.add(self, was, allowed);
    }

    /** What a reading of the field gives, or {@code absent} where there is none. */
    public <T> Read<T> optional(String field, T absent, Function<String, Read<T>> reading) {
        return has(field) ? reading.apply(field) : Read.of(absent);
    }

    /** A value that takes two others, if both are there; what it refuses is noted under {@code path}. */
    <A, B, T> Read<T> join(String path, Read<A> a, Read<B> b, BiFunction<A, B, T> join) {
        return a.isThere() && b.isThere() ? part(path, () -> join.apply(a.get(), b.get())) : Read.refused();
    }

    /** The same; {@code place} tells from the path within the whole where it stands in this object. */
    <A, B, T> Read<T> join(UnaryOperator<String> place, Read<A> a, Read<B> b, BiFunction<A, B, T> join) {
        if (!a.isThere() || !b.isThere()) {
            return Read.refused();
        }
        try {
            return Read.of(join.apply(a.get(), b.get()));
        } catch (RefusedException refused) {
            for (Problem problem : refused.problems()) {
                problems.add(place.apply(problem.path()), problem.was(), problem.allowed());
            }
            return Read.refused();
        }
    }

    /** A value that takes others, if all of them are there; what it refuses is noted under {@code path}. */
    public <T> Read<T> all(String path, Supplier<T> whole, Read<?>... parts) {
        return Stream.of(parts).allMatch(Read::isThere) ? part(path, whole) : Read.refused();
    }

    /** The same, but made even if some are not there, from what {@link Read#or} gives for these: to hear of the others. */
    <T> Read<T> together(String path, Supplier<T> whole, Read<?>... parts) {
        Read<T> made = part(path, whole);
        return Stream.of(parts).allMatch(Read::isThere) ? made : Read.refused();
    }

    /** Something of the whole object; what it refuses is noted under its own fields. */
    public <T> Read<T> whole(Supplier<T> part) {
        return part("", part);
    }

    /** Any text. */
    public Read<String> text(String field) {
        return text(field, text -> text);
    }

    /** A text, made into something that may refuse it. */
    public <T> Read<T> text(String field, Function<String, T> parse) {
        return text(field, value(field), parse);
    }

    Read<Duration> duration(String field) {
        return checked(field, describe(value(field)), DurationText::parse);
    }

    /** How long a stage is held. */
    Read<Duration> hold(String field) {
        return checked(field, describe(value(field)), text -> Stage.requireHold(DurationText.parse(text)));
    }

    /** One of some words. */
    public <T> Read<T> word(String field, T[] words, Function<T, String> label) {
        return text(field, text -> wordOf(text, words, label));
    }

    /** A list of some words, each once. */
    <T> Read<Set<T>> words(String field, T[] words, Function<T, String> label) {
        Read<List<T>> list = texts(field, text -> wordOf(text, words, label));
        return all(field, () -> requireDistinct(list.get(), label), list);
    }

    /** True or false. */
    public Read<Boolean> flag(String field) {
        @Nullable JsonNode value = value(field);
        return value != null && value.isBoolean()
                ? Read.of(value.booleanValue())
                : refused(field, value, "must be true or false");
    }

    /** A number; one that no double holds becomes an infinite one. */
    Read<Double> number(String field) {
        @Nullable JsonNode value = value(field);
        if (value == null || !value.isNumber()) {
            return refused(field, value, "must be a number");
        }
        return Read.of(
                value.isDouble() ? value.doubleValue() : value.decimalValue().doubleValue());
    }

    /** A number or a text. */
    Read<Alpha> alpha(String field) {
        return checked(field, numberOrText(value(field)), Alpha::parse);
    }

    /** A percentage as a number or a text, that one with or without its sign. */
    Read<Percent> share(String field) {
        return checked(
                field,
                numberOrText(value(field)),
                text -> Percent.parse(text.endsWith("%") ? text.substring(0, text.length() - 1) : text));
    }

    /** A number or a text. */
    Read<Percent> percent(String field) {
        return checked(field, numberOrText(value(field)), Percent::parse);
    }

    /** A number or a text. */
    Read<ErrorRate> errorRate(String field) {
        return checked(field, numberOrText(value(field)), ErrorRate::parse);
    }

    /** A whole number from 0. */
    public Read<Long> whole(String field, long most) {
        return whole(field, 0, most);
    }

    /** A whole number; 3.0 is one, and 1e3. */
    public Read<Long> whole(String field, long least, long most) {
        return whole(field, value(field), least, most);
    }

    /** A list of texts, each made into something that may refuse it. */
    public <T> Read<List<T>> texts(String field, Function<String, T> parse) {
        return elements(field, "must be a list of texts", (path, element) -> text(path, element, parse));
    }

    /** An object within this one. */
    public <T> Read<T> object(String field, Function<Fields, T> reader) {
        return object(field, value(field), reader);
    }

    /** A text or an object. */
    <T> Read<T> textOrObject(String field, Function<String, T> parse, Function<Fields, T> reader, String allowed) {
        @Nullable JsonNode value = value(field);
        if (value instanceof StringNode text) {
            return checked(field, text.stringValue(), parse);
        }
        return value instanceof ObjectNode ? object(field, value, reader) : refused(field, value, allowed);
    }

    /** A list of objects. */
    public <T> Read<List<T>> objects(String field, Function<Fields, T> reader) {
        return elements(field, "must be a list of objects", (path, element) -> object(path, element, reader));
    }

    /** An object of texts by texts, each of which may be refused. */
    Read<Map<String, String>> textMap(String field, UnaryOperator<String> key, UnaryOperator<String> text) {
        @Nullable JsonNode value = value(field);
        if (!(value instanceof ObjectNode object)) {
            return refused(field, value, "must be an object of texts");
        }
        Map<String, String> map = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            Read<String> name = checked(field, entry.getKey(), key::apply);
            Read<String> content = text(field + "." + entry.getKey(), entry.getValue(), text::apply);
            if (name.isThere() && content.isThere()) {
                map.put(name.get(), content.get());
            } else if (isEnough()) {
                break;
            }
        }
        return map.size() == object.size() ? Read.of(map) : Read.refused();
    }

    /** An object whose keys are small whole numbers, and so are its values. */
    Read<SortedMap<Integer, Long>> histogram(String field, long most) {
        @Nullable JsonNode value = value(field);
        if (!(value instanceof ObjectNode object)) {
            return refused(field, value, "must be an object of numbers by number");
        }
        SortedMap<Integer, Long> histogram = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            if (!SMALL_INDEX.matcher(entry.getKey()).matches()) {
                return refused(field, "with the key " + entry.getKey(), "must have whole numbers as keys");
            }
            Read<Long> number = whole(field + "." + entry.getKey(), entry.getValue(), 0, most);
            if (number.isThere()) {
                histogram.put(Integer.valueOf(entry.getKey()), number.get());
            } else if (isEnough()) {
                break;
            }
        }
        return histogram.size() == object.size() ? Read.of(histogram) : Read.refused();
    }

    /** An object whose values are whole numbers, and whose keys something may refuse. */
    Read<Map<String, Long>> counts(String field, Function<String, String> key, long least, long most) {
        @Nullable JsonNode value = value(field);
        if (!(value instanceof ObjectNode object)) {
            return refused(field, value, "must be an object of numbers by name");
        }
        Map<String, Long> counts = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            Read<String> name = checked(field, entry.getKey(), key);
            Read<Long> number = whole(field + "." + entry.getKey(), entry.getValue(), least, most);
            if (name.isThere() && number.isThere()) {
                counts.put(name.get(), number.get());
            } else if (isEnough()) {
                break;
            }
        }
        return counts.size() == object.size() ? Read.of(counts) : Read.refused();
    }

    /** What stands there, in the words of a problem. */
    static String describe(@Nullable JsonNode value) {
        if (value == null || value.isMissingNode()) {
            return "missing";
        }
        if (value.isObject()) {
            return "an object";
        }
        if (value.isArray()) {
            return "a list";
        }
        if (value.isString()) {
            return value.stringValue().isEmpty() ? "empty" : value.stringValue();
        }
        if (value.isBigDecimal()) {
            // Never in plain notation: 1e999999999 would be a gigabyte of zeros.
            return value.decimalValue().toString();
        }
        return value.isDouble() ? String.valueOf(value.doubleValue()) : value.toString();
    }

    private @Nullable JsonNode value(String field) {
        known.add(field);
        return node.get(field);
    }

    private <T> Read<T> text(String path, @Nullable JsonNode value, Function<String, T> parse) {
        return value instanceof StringNode text
                ? checked(path, text.stringValue(), parse)
                : refused(path, value, "must be a text");
    }

    /** A number in plain notation where that is short, so that 1e1 is 10; a text as it is. */
    private static String numberOrText(@Nullable JsonNode value) {
        if (value == null || !value.isBigDecimal()) {
            return describe(value);
        }
        BigDecimal number = value.decimalValue().stripTrailingZeros();
        return Math.abs((long) number.scale()) <= LARGEST_SCALE ? number.toPlainString() : number.toString();
    }

    private Read<Long> whole(String path, @Nullable JsonNode value, long least, long most) {
        if (value != null && value.canConvertToExactIntegral() && value.canConvertToLong()) {
            long number = value.longValue();
            if (number >= least && number <= most) {
                return Read.of(number);
            }
        }
        return refused(path, value, "must be a whole number within " + least + ".." + most);
    }

    private <T> Read<T> object(String path, @Nullable JsonNode value, Function<Fields, T> reader) {
        return value instanceof ObjectNode object
                ? part(path, () -> reader.apply(new Fields(object, "", strict)))
                : refused(path, value, "must be an object");
    }

    private <T> Read<List<T>> elements(String field, String allowed, BiFunction<String, JsonNode, Read<T>> reading) {
        @Nullable JsonNode value = value(field);
        if (value == null || !value.isArray()) {
            return refused(field, value, allowed);
        }
        List<T> elements = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            Read<T> element = reading.apply(field + "[" + i + "]", value.get(i));
            if (element.isThere()) {
                elements.add(element.get());
            } else if (isEnough()) {
                break;
            }
        }
        return elements.size() == value.size() ? Read.of(elements) : Read.refused();
    }

    private static <T> T wordOf(String text, T[] words, Function<T, String> label) {
        return Stream.of(words)
                .filter(word -> label.apply(word).equals(text))
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        "",
                        text.isEmpty() ? "empty" : text,
                        "must be one of " + Stream.of(words).map(label).collect(Collectors.joining(", "))));
    }

    private static <T> Set<T> requireDistinct(List<T> list, Function<T, String> label) {
        Set<T> distinct = new LinkedHashSet<>();
        Problems twice = new Problems();
        for (int i = 0; i < list.size(); i++) {
            twice.require(distinct.add(list.get(i)), "[" + i + "]", label.apply(list.get(i)), "must be there once");
        }
        twice.throwIfAny();
        return distinct;
    }

    /** Parsers name what they parse; here it has a better name, its path. */
    private <T> Read<T> checked(String path, String text, Function<String, T> parse) {
        if (!isWellFormed(text)) {
            return refused(path, "a text with half a character", "must have each surrogate with its partner");
        }
        try {
            return Read.of(parse.apply(text));
        } catch (RefusedException refused) {
            for (Problem problem : refused.problems()) {
                problems.add(path, problem.was(), problem.allowed());
            }
            return Read.refused();
        }
    }

    private <T> Read<T> part(String path, Supplier<T> part) {
        return new Read<>(problems.part(path, part));
    }

    private <T> Read<T> refused(String path, @Nullable JsonNode value, String allowed) {
        return refused(path, describe(value), allowed);
    }

    private <T> Read<T> refused(String path, String was, String allowed) {
        problems.add(path, was, allowed);
        return Read.refused();
    }

    private boolean isEnough() {
        return problems.all().size() >= MOST_PROBLEMS;
    }

    private void refuseUnknown() {
        for (String name : node.propertyNames()) {
            if (!known.contains(name) && !isEnough()) {
                boolean plain = PLAIN_NAME.matcher(name).matches();
                String allowed = "must be one of " + String.join(", ", known) + suggestion(name);
                problems.add(plain ? name : self, plain ? "unknown" : "the unknown field " + name, allowed);
            }
        }
    }

    /** The field that was probably meant, if there is one so near that it is no guess. */
    private String suggestion(String unknown) {
        return Spelling.nearest(unknown, known)
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
    }

    private static boolean isWellFormed(String text) {
        return text.codePoints()
                .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }
}
