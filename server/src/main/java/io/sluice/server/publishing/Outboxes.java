package io.sluice.server.publishing;

import io.sluice.core.rule.RuleSource;
import io.sluice.wire.RuleSigner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The targets that the flags name, each with an outbox of its own. */
@RestController
@RequestMapping("/api/v1/rules/targets")
@Lazy(false)
class Outboxes implements AutoCloseable {
    private final List<Outbox> outboxes = new ArrayList<>();

    Outboxes(
            @Value("${sluice.publish-to:}") List<String> targets,
            @Value("${sluice.signing-key:}") String signingKey,
            Environment environment,
            RuleSource published) {
        RuleSigner signer = signingKey.isEmpty() ? null : RuleSigner.read(Path.of(signingKey));
        for (String text : targets) {
            Target target = Target.parse(text);
            outboxes.add(new Outbox(
                    target.toString(),
                    target.center().connect(target.address(), login(target.kind(), environment)),
                    published,
                    signer));
        }
    }

    /** How each target stands to what is published. */
    @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
    List<TargetView> targets() {
        return outboxes.stream().map(Outbox::view).toList();
    }

    @Override
    public void close() {
        outboxes.forEach(Outbox::close);
    }

    /** {@code SLUICE_ETCD_USER} and {@code SLUICE_ETCD_PASSWORD}, and so for each kind. */
    private static @Nullable Login login(String kind, Environment environment) {
        String user = environment.getProperty("sluice." + kind + ".user", "");
        String password = environment.getProperty("sluice." + kind + ".password", "");
        return user.isEmpty() ? null : new Login(user, password);
    }
}
