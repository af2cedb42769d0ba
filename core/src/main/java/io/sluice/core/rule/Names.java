package io.sluice.core.rule;

import io.sluice.core.problem.RefusedException;
import io.sluice.core.tag.TrafficTag;
import java.util.regex.Pattern;

/** What names may look like. They end in files, addresses, headers, metrics and logs, so they are narrow. */
public final class Names {
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");
    // Device names of Windows: a file of that name, whatever its ending, is none there.
    private static final Pattern DEVICE = Pattern.compile("(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?");
    private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern SERVICE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private static final Pattern INSTANCE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@/-]{0,255}");

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");

    /** What a token is, in the words of a problem. */
    static final String TOKEN_ALLOWED = "must have 1..256 of the letters, digits and !#$%&'*+-.^_`|~ of ASCII";

    private Names() {}

    /** A release's id or a rule's name. @throws RefusedException with an empty path when it is not one */
    public static String requireId(String id) {
        if (DEVICE.matcher(id).matches()) {
            throw new RefusedException(
                    "", id, "must not be the name of a device (con, prn, aux, nul, com0..9, lpt0..9)");
        }
        return require(ID, id, "must match " + ID + " (lower case)");
    }

    /** An instance's version. @throws RefusedException with an empty path when it is not one, or is {@code stable} */
    public static String requireVersion(String version) {
        if (version.equals(TrafficTag.STABLE_VERSION)) {
            throw new RefusedException("", version, "must be the new version, and 'stable' means every other one");
        }
        return require(VERSION, version, "must match " + VERSION);
    }

    /** A service's name in the registry. @throws RefusedException with an empty path when it is not one */
    public static String requireService(String service) {
        return require(SERVICE, service, "must match " + SERVICE);
    }

    /**
     * The name under which an instance reports, like {@code order@10.0.0.7:8080}.
     *
     * @throws RefusedException with an empty path when it is not one
     */
    public static String requireInstance(String instance) {
        return require(INSTANCE, instance, "must match " + INSTANCE);
    }

    /** A name of a header (RFC 9110, section 5.6.2) or of a cookie (RFC 6265, section 4.1.1). */
    static boolean isToken(String name) {
        return TOKEN.matcher(name).matches();
    }

    private static String require(Pattern pattern, String name, String allowed) {
        if (!pattern.matcher(name).matches()) {
            throw new RefusedException("", name.isEmpty() ? "empty" : name, allowed);
        }
        return name;
    }
}
