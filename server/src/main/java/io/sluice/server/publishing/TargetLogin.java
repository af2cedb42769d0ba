package io.sluice.server.publishing;

import io.sluice.center.CenterLogin;
import io.sluice.center.CenterName;
import io.sluice.core.problem.RefusedException;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Who the server is to a kind of config centre: {@code SLUICE_ETCD_USER} and {@code SLUICE_ETCD_PASSWORD}, and so for each. */
public final class TargetLogin {
    private TargetLogin() {}

    /**
     * A user and a password come together or not at all, and not at all where there are no users.
     *
     * @return the user, perhaps empty
     */
    public static String require(CenterName target, Map<String, String> environment) {
        String prefix = "SLUICE_" + target.kind().toUpperCase(Locale.ROOT);
        String user = environment.getOrDefault(prefix + "_USER", "");
        boolean hasPassword =
                !environment.getOrDefault(prefix + "_PASSWORD", "").isEmpty();
        if (user.isEmpty() == hasPassword) {
            throw new RefusedException(
                    prefix + (hasPassword ? "_USER" : "_PASSWORD"), "empty", "must come with the other of the two");
        }
        if (hasPassword && !target.knowsUsers()) {
            throw new RefusedException(prefix + "_USER", user, "must not be set: a " + target.kind() + " has no users");
        }
        return user;
    }

    /** @param property reads a setting of the server, empty when it is not set */
    static @Nullable CenterLogin of(CenterName target, UnaryOperator<String> property) {
        String user = property.apply("sluice." + target.kind() + ".user");
        return user.isEmpty() ? null : new CenterLogin(user, property.apply("sluice." + target.kind() + ".password"));
    }
}
