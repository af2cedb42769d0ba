package io.sluice.spring;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.RuleVerifier;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The config centre that an application follows its rules in. Names no type of that module, which need not be there.
 *
 * @param name as {@code KIND=ADDRESS}
 * @param user who this process is to it; empty for nobody
 * @param verifier whose signature its rules must have; null when they need none
 */
public record FollowedCenter(
        String name, String user, String password, @Nullable RuleVerifier verifier) {
    private static final String FROM = "sluice.rules.from";
    private static final String USER = "sluice.rules.user";
    private static final String PASSWORD = "sluice.rules.password";
    private static final String PUBLIC_KEY = "sluice.rules.public-key";

    /** @return null when none is named, or there was a problem */
    static @Nullable FollowedCenter from(SluiceProperties.Rules written, Problems problems) {
        boolean isNamed = !written.from().isEmpty();
        requireFrom(isNamed, USER, written.user(), problems);
        requireFrom(isNamed, PASSWORD, written.password().isEmpty() ? "" : "set", problems);
        requireFrom(isNamed, PUBLIC_KEY, written.publicKey(), problems);
        if (!isNamed) {
            return null;
        }
        if (ClassUtils.isPresent("io.sluice.center.CenterName", null)) {
            CenterRules.check(written.from(), FROM, written.user(), USER, problems);
        } else {
            String kind = written.from().split("=", 2)[0];
            problems.add(FROM, kind + "=...", "must have io.sluice:sluice-config-centers on the class path");
        }
        boolean hasUser = !written.user().isEmpty();
        problems.require(
                hasUser != written.password().isEmpty(),
                hasUser ? PASSWORD : USER,
                "empty",
                "must come with the other of the two");
        RuleVerifier verifier =
                written.publicKey().isEmpty() ? null : problems.part(PUBLIC_KEY, () -> verifier(written.publicKey()));
        return new FollowedCenter(written.from(), written.user(), written.password(), verifier);
    }

    private static void requireFrom(boolean isNamed, String property, String value, Problems problems) {
        problems.require(isNamed || value.isEmpty(), property, value, "must come with " + FROM);
    }

    private static RuleVerifier verifier(String file) {
        try {
            return RuleVerifier.read(Path.of(file));
        } catch (RefusedException refused) {
            Problem first = refused.problems().get(0);
            throw new RefusedException("", file + ", " + first.was(), first.allowed());
        } catch (InvalidPathException noPath) {
            throw new RefusedException("", file, "must be a file with Ed25519 public keys");
        }
    }

    /** Without the password: this may be logged. */
    @Override
    public String toString() {
        return name;
    }
}
