package io.sluice.server.publishing;

import io.sluice.core.problem.RefusedException;
import java.util.Locale;
import java.util.Map;

/**
 * A place to publish to, as the flag names it: {@code etcd=http://127.0.0.1:2379/sluice/rules}.
 *
 * @param address in the form of its kind, without secrets
 */
public record Target(String kind, String address) {
    /** @throws RefusedException when the kind is unknown or the address is none of it */
    public static Target parse(String text) {
        int equals = text.indexOf('=');
        CenterKind kind = CenterKind.of(equals < 0 ? text : text.substring(0, equals))
                .filter(known -> equals >= 0)
                .orElseThrow(() -> new RefusedException(
                        "",
                        text.replaceFirst("//[^/]*@", "//...@"),
                        "must be KIND=ADDRESS, with a kind of " + CenterKind.labels()));
        String address = text.substring(equals + 1);
        kind.requireAddress(address);
        return new Target(kind.label(), address);
    }

    /**
     * A user and a password come together or not at all.
     *
     * @return the user, perhaps empty
     */
    public static String requireLogin(String kind, Map<String, String> environment) {
        String prefix = "SLUICE_" + kind.toUpperCase(Locale.ROOT);
        String user = environment.getOrDefault(prefix + "_USER", "");
        boolean hasPassword =
                !environment.getOrDefault(prefix + "_PASSWORD", "").isEmpty();
        if (user.isEmpty() == hasPassword) {
            throw new RefusedException(
                    prefix + (hasPassword ? "_USER" : "_PASSWORD"), "empty", "must come with the other of the two");
        }
        return user;
    }

    CenterKind center() {
        return CenterKind.of(kind).orElseThrow();
    }

    @Override
    public String toString() {
        return kind + "=" + address;
    }
}
