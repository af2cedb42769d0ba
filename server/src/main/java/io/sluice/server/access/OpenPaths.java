package io.sluice.server.access;

import io.sluice.core.problem.RefusedException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What needs no token, in full. Addresses are compared as they were sent, without decoding or tidying: one that is
 * written in an unusual way (an escape, a path parameter, a doubled or dotted segment) is simply not open, whatever the
 * dispatcher later takes it for.
 *
 * @param dataPlane whether processes may read rules and report without a token
 */
record OpenPaths(boolean dataPlane) {
    private static final Set<String> PAGES =
            Set.of("/", "/console", "/console/", "/actuator/health", "/api/v1/leader", "/v3/api-docs", "/favicon.ico");
    private static final Pattern FILES = Pattern.compile("/(?:console|schema)(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)+");
    private static final Set<String> RULES = Set.of("/api/v1/rules", "/api/v1/rules/stream");
    private static final Set<String> REPORTS = Set.of("/api/v1/observations", "/api/v1/workloads");
    private static final Pattern MIGRATION_REPORTS = Pattern.compile("/api/v1/migrations/[a-z][a-z0-9-]{0,62}/reports");

    /** @throws RefusedException for a word that is neither {@code open} nor {@code token} */
    static OpenPaths withDataPlane(String setting) {
        return switch (setting) {
            case "open" -> new OpenPaths(true);
            case "token" -> new OpenPaths(false);
            default -> throw new RefusedException("sluice.access.data-plane", setting, "must be open or token");
        };
    }

    boolean has(String method, String uri) {
        return switch (method) {
            case "GET", "HEAD" ->
                PAGES.contains(uri)
                        || FILES.matcher(uri).matches()
                        || dataPlane && method.equals("GET") && RULES.contains(uri);
            case "POST" ->
                dataPlane
                        && (REPORTS.contains(uri)
                                || MIGRATION_REPORTS.matcher(uri).matches());
            default -> false;
        };
    }
}
