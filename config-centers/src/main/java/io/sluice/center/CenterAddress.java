package io.sluice.center;

import io.sluice.core.problem.RefusedException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Servers of a centre and a path in it: {@code host:port,host:port/sluice/rules}.
 *
 * @param servers each {@code host:port}, at least one
 * @param path with its leading slash
 */
public record CenterAddress(List<String> servers, String path) {
    private static final Pattern FORM = Pattern.compile("([^/]+)(/.+)");
    private static final Pattern SERVER = Pattern.compile("(?:[A-Za-z0-9_.-]{1,253}|\\[[0-9a-fA-F:.]+]):([0-9]{1,5})");
    private static final Pattern PATH = Pattern.compile("(?:/[A-Za-z0-9_.-]{1,128}){1,32}");

    public CenterAddress {
        servers = List.copyOf(servers);
    }

    /** @throws RefusedException when it is none, without a path */
    public static CenterAddress parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw refused(text);
        }
        List<String> servers = List.of(form.group(1).split(",", -1));
        if (!servers.stream().allMatch(CenterAddress::isServer) || !isPath(form.group(2))) {
            throw refused(text);
        }
        return new CenterAddress(servers, form.group(2));
    }

    private static boolean isServer(String text) {
        Matcher server = SERVER.matcher(text);
        if (!server.matches()) {
            return false;
        }
        int port = Integer.parseInt(server.group(1));
        return port >= 1 && port <= 65_535;
    }

    private static boolean isPath(String text) {
        return PATH.matcher(text).matches() && !text.contains("/../") && !text.endsWith("/..") && !text.contains("/./");
    }

    /** What stands before an @ may be a password, which is not repeated. */
    private static RefusedException refused(String text) {
        return new RefusedException(
                "",
                text.isEmpty() ? "empty" : text.replaceFirst("^[^/]*@", "...@"),
                "must be like host:port/path or host:port,host:port/path, without a user");
    }
}
