package io.sluice.wire;

import io.sluice.core.problem.RefusedException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Between bytes and trees: UTF-8 without a byte order mark, every key once, nothing after the end, all sizes bounded. For
 * the codecs of this module.
 */
public final class JsonText {
    /** The path of a problem that is nowhere in particular. */
    static final String DOCUMENT = "document";

    /** How long a document with lists of keys may be, in bytes: two lists of 10,000 of the longest keys, and some. */
    public static final int LARGEST_LISTS = 1 << 24;

    private static final int DEEPEST = 32;
    private static final int LONGEST_NUMBER = 100;
    private static final Bounds PLAIN = Bounds.of(1 << 20, 1 << 16);

    // A plain document within, at most its own length again for escapes, and little else.
    private static final Bounds CARRIER = Bounds.of(1 << 21, 1 << 20);

    private static final Bounds LISTS = Bounds.of(LARGEST_LISTS, 1 << 16);

    /** How long a document, and each text in it, may be. */
    private record Bounds(int largestDocument, int longestText, JsonMapper mapper) {
        static Bounds of(int largestDocument, int longestText) {
            // NaN and its like are let through here so that the field's own reading refuses them, by the field's name.
            return new Bounds(
                    largestDocument,
                    longestText,
                    JsonMapper.builder(JsonFactory.builder()
                                    .streamReadConstraints(StreamReadConstraints.builder()
                                            .maxDocumentLength(largestDocument)
                                            .maxNestingDepth(DEEPEST)
                                            .maxNumberLength(LONGEST_NUMBER)
                                            .maxStringLength(longestText)
                                            .build())
                                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                                    .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                                    .build())
                            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS) // looked for in refuseMore
                            .build());
        }
    }

    private JsonText() {}

    public static ObjectNode newObject() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** One line, fields in the order in which they were put. */
    public static byte[] write(ObjectNode object) {
        return PLAIN.mapper.writeValueAsBytes(object);
    }

    /** Reads a document, an object, refusing fields that the reader does not know. */
    public static <T> T readStrict(byte[] json, Function<Fields, T> reader) {
        return reader.apply(Fields.of(parse(json, PLAIN), true));
    }

    /** Reads a document, an object, passing over fields that the reader does not know. */
    public static <T> T readLenient(byte[] json, Function<Fields, T> reader) {
        return reader.apply(Fields.of(parse(json, PLAIN), false));
    }

    /** The same for a document that has another one as a text in it, and so may be longer. */
    static <T> T readCarrier(byte[] json, Function<Fields, T> reader) {
        return reader.apply(Fields.of(parse(json, CARRIER), false));
    }

    /** The same for a document with long lists of keys. */
    public static <T> T readLists(byte[] json, Function<Fields, T> reader) {
        return reader.apply(Fields.of(parse(json, LISTS), false));
    }

    private static ObjectNode parse(byte[] json, Bounds bounds) {
        JsonNode node = tree(decode(json, bounds), bounds);
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new RefusedException(DOCUMENT, Fields.describe(node), "must be a JSON object");
    }

    private static JsonNode tree(String text, Bounds bounds) {
        try (JsonParser parser = bounds.mapper.createParser(text)) {
            JsonNode node = bounds.mapper.readTree(parser);
            refuseMore(parser);
            return node;
        } catch (StreamConstraintsException | NumberFormatException tooLarge) {
            throw new RefusedException(
                    DOCUMENT,
                    "too deep or too long in some part",
                    "must nest at most " + DEEPEST + " deep, with numbers of at most " + LONGEST_NUMBER
                            + " digits and texts of at most " + bounds.longestText + " characters");
        } catch (UnexpectedEndOfInputException cut) {
            throw refused("cut off", cut.getLocation());
        } catch (DatabindException twice) {
            // Trees take every value, so nothing else can be wrong with one.
            throw refused("with one key twice", twice.getLocation());
        } catch (JacksonException malformed) {
            throw refused("no JSON", malformed.getLocation());
        }
    }

    private static void refuseMore(JsonParser parser) {
        TokenStreamLocation end = parser.currentLocation();
        try {
            if (parser.nextToken() == null) {
                return;
            }
            end = parser.currentTokenLocation();
        } catch (StreamReadException noToken) {
            end = noToken.getLocation() == null ? end : noToken.getLocation();
        }
        throw refused("followed by something after its end", end);
    }

    /** In our own words: the parser's are about its tokens. */
    private static RefusedException refused(String was, @Nullable TokenStreamLocation at) {
        String place = at == null ? "" : ", at line " + at.getLineNr() + ", column " + at.getColumnNr();
        return new RefusedException(
                DOCUMENT, was + place, "must be one JSON object, each key once, and nothing after it");
    }

    /** Decoded here, since the parser would guess among encodings. */
    private static String decode(byte[] json, Bounds bounds) {
        if (json.length > bounds.largestDocument) {
            throw new RefusedException(
                    DOCUMENT, json.length + " bytes", "must be at most " + bounds.largestDocument + " bytes");
        }
        if (json.length == 0) {
            throw new RefusedException(DOCUMENT, "empty", "must be a JSON object");
        }
        if (startsLikeAnotherEncoding(json)) {
            throw new RefusedException(DOCUMENT, "in another encoding", "must be UTF-8 without a byte order mark");
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.wrap(json);
        try {
            CharBuffer text = decoder.decode(bytes);
            return text.toString();
        } catch (CharacterCodingException invalid) {
            throw new RefusedException(
                    DOCUMENT, "not UTF-8 at byte " + bytes.position(), "must be UTF-8 without a byte order mark");
        }
    }

    /** A byte order mark of UTF-8 or UTF-16, or a zero among the first bytes, as UTF-16 and UTF-32 have it. */
    private static boolean startsLikeAnotherEncoding(byte[] json) {
        int first = json[0] & 0xff;
        int second = json.length > 1 ? json[1] & 0xff : -1;
        return first == 0 || second == 0 || (first == 0xef && second == 0xbb) || first == 0xfe || first == 0xff;
    }
}
