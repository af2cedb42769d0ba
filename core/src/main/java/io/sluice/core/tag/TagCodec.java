package io.sluice.core.tag;

import io.sluice.core.identity.Identity;
import io.sluice.core.problem.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The header form of a tag: {@code X-Gray-Tag: uid=10086;channel=app;version=v2.1.0;release=release-2026-10}.
 *
 * <p>Pairs are parted by {@code ;}, values are percent-encoded (RFC 3986, section 2.1, over UTF-8). On the canaries of
 * several releases, {@code version} and {@code release} are lists of equal length parted by {@code ,}. A request that
 * is stable everywhere wears {@code version=stable}.
 *
 * <p>A header that is not exactly this, is longer than {@value #LONGEST} characters or says two things is no tag at
 * all: nothing in it is believed. Neither is one whose values no {@link Identity} could have. Unknown keys are skipped,
 * so that newer hops can say more; they are lower-case words too.
 */
public final class TagCodec {
    /** The header that carries the tag. */
    public static final String HEADER = "X-Gray-Tag";

    /** The header and baggage entry that carry the colors of release channels. */
    public static final String COLORS_HEADER = "x-deploy-channel-type";

    /** The longest header that is read, in characters. */
    public static final int LONGEST = 4096;

    /** So many canaries fit whatever they and the customer are called: 128 characters each beside two ids of 768. */
    private static final int ALWAYS_FIT = 19;

    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9-]*");
    private static final Set<String> KEYS = Set.of("uid", "channel", "version", "release");
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private TagCodec() {}

    /** Whether a header name is one of ours, in any case and with {@code _} for {@code -}, as some proxies write it. */
    public static boolean isOurs(String headerName) {
        String name = headerName.replace('_', '-').toLowerCase(Locale.ROOT);
        return name.equals("x-gray-tag") || name.equals(COLORS_HEADER);
    }

    /** The header value of a tag, without its colors; empty for the empty tag, which is not sent. */
    public static String format(TrafficTag tag) {
        if (tag.hasEmptyHeader()) {
            return "";
        }
        StringBuilder out = new StringBuilder(96);
        if (!tag.uid().isEmpty()) {
            encode(tag.uid(), out.append("uid="));
            out.append(';');
        }
        if (!tag.channel().isEmpty()) {
            encode(tag.channel(), out.append("channel="));
            out.append(';');
        }
        out.append("version=");
        if (tag.assignments().isEmpty()) {
            return out.append(TrafficTag.STABLE_VERSION).toString();
        }
        for (int i = 0; i < tag.assignments().size(); i++) {
            encode(tag.assignments().get(i).version(), i == 0 ? out : out.append(','));
        }
        out.append(";release=");
        for (int i = 0; i < tag.assignments().size(); i++) {
            encode(tag.assignments().get(i).release(), i == 0 ? out : out.append(','));
        }
        return out.toString();
    }

    /**
     * The tag with as many of its first assignments as its header can hold. Cut where the tag is made, and not on the way:
     * a hop that refused a tag would serve stable after a hop that served the canary.
     */
    public static TrafficTag fitting(TrafficTag tag) {
        TrafficTag fitting = tag;
        while (fitting.assignments().size() > ALWAYS_FIT && format(fitting).length() > LONGEST) {
            List<Assignment> fewer =
                    fitting.assignments().subList(0, fitting.assignments().size() - 1);
            fitting = new TrafficTag(tag.uid(), tag.channel(), fewer, tag.colors());
        }
        return fitting;
    }

    /** Reads the values of the tag header of one request; more than one is a conflict, and so no tag. */
    public static TagReading read(List<String> headerValues) {
        if (headerValues.isEmpty()) {
            return TagReading.none();
        }
        if (headerValues.size() > 1) {
            return TagReading.refused("tag was sent " + headerValues.size() + " times, but must be sent once");
        }
        return parse(headerValues.get(0));
    }

    /** Reads one header value. */
    public static TagReading parse(String value) {
        if (value.isEmpty()) {
            return TagReading.none();
        }
        if (value.length() > LONGEST) {
            return TagReading.refused("tag was " + value.length() + " characters, but must be at most " + LONGEST);
        }
        Map<String, String> pairs = new HashMap<>();
        for (String pair : value.split(";", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1 || !KEY.matcher(pair.substring(0, equals)).matches()) {
                return TagReading.refused(
                        "tag has '" + Problem.printable(pair) + "', but must be pairs like uid=1;version=v2");
            }
            String key = pair.substring(0, equals);
            if (KEYS.contains(key) && pairs.put(key, pair.substring(equals + 1)) != null) {
                return TagReading.refused("tag has " + key + " twice, but must have it once");
            }
        }
        try {
            return assemble(pairs);
        } catch (CharacterCodingException | IllegalArgumentException bad) {
            return TagReading.refused("tag has a bad escape, but must be percent-encoded UTF-8");
        }
    }

    private static TagReading assemble(Map<String, String> pairs) throws CharacterCodingException {
        String version = pairs.getOrDefault("version", "");
        String release = pairs.getOrDefault("release", "");
        List<Assignment> assignments = new ArrayList<>();
        boolean stable = version.isEmpty() || version.equals(TrafficTag.STABLE_VERSION);
        if (stable != release.isEmpty()) {
            return TagReading.refused("tag has version=" + Problem.printable(version) + " and release="
                    + Problem.printable(release) + ", but must have both or neither");
        }
        if (!stable) {
            String[] versions = version.split(",", -1);
            String[] releases = release.split(",", -1);
            if (versions.length != releases.length) {
                return TagReading.refused("tag has " + versions.length + " versions and " + releases.length
                        + " releases, but must have as many of each");
            }
            for (int i = 0; i < versions.length; i++) {
                Assignment assignment = new Assignment(decode(releases[i]), decode(versions[i]));
                if (assignment.release().isEmpty() || assignment.version().isEmpty()) {
                    return TagReading.refused("tag has an empty release or version, but must name both");
                }
                if (assignments.stream().anyMatch(other -> other.release().equals(assignment.release()))) {
                    return TagReading.refused("tag has release " + Problem.printable(assignment.release())
                            + " twice, but must name it once");
                }
                assignments.add(assignment);
            }
        }
        TrafficTag tag = new TrafficTag(
                decode(pairs.getOrDefault("uid", "")), decode(pairs.getOrDefault("channel", "")), assignments);
        for (String value : values(tag)) {
            if (!value.isEmpty() && !Identity.isUsable(value)) {
                return TagReading.refused(
                        "tag has the value " + Problem.printable(value) + ", but must have " + Identity.ALLOWED);
            }
        }
        return new TagReading(tag, "");
    }

    private static List<String> values(TrafficTag tag) {
        List<String> values = new ArrayList<>(List.of(tag.uid(), tag.channel()));
        tag.assignments().forEach(assignment -> values.addAll(List.of(assignment.release(), assignment.version())));
        return values;
    }

    private static void encode(String value, StringBuilder out) {
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved(b)) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX[b >> 4 & 0xf]).append(HEX[b & 0xf]);
            }
        }
    }

    /** Decodes once and only once. Anything that had to be encoded but stands plain is a bad escape too. */
    private static String decode(String value) throws CharacterCodingException {
        ByteBuffer bytes = ByteBuffer.allocate(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '%') {
                if (i + 2 >= value.length()) {
                    throw new IllegalArgumentException("cut escape");
                }
                bytes.put((byte) (hex(value.charAt(i + 1)) << 4 | hex(value.charAt(i + 2))));
                i += 2;
            } else if (c < 0x80 && isUnreserved((byte) c)) {
                bytes.put((byte) c);
            } else {
                throw new IllegalArgumentException("not encoded");
            }
        }
        return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    }

    private static int hex(char c) {
        int digit = c < 0x80 ? Character.digit(c, 16) : -1;
        if (digit < 0) {
            throw new IllegalArgumentException("not a hex digit");
        }
        return digit;
    }

    private static boolean isUnreserved(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == '-'
                || b == '.'
                || b == '_'
                || b == '~';
    }
}
