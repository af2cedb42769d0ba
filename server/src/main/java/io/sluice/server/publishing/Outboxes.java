package io.sluice.server.publishing;

import com.alibaba.nacos.client.config.utils.SnapShotSwitch;
import io.sluice.center.CenterLogin;
import io.sluice.center.CenterName;
import io.sluice.core.rule.RuleSource;
import io.sluice.wire.RuleSigner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
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
    private static final String NACOS = "nacos";

    private final List<Outbox> outboxes = new ArrayList<>();

    Outboxes(@Value("${sluice.signing-key:}") String signingKey, Environment environment, RuleSource published) {
        RuleSigner signer = signingKey.isEmpty() ? null : RuleSigner.read(Path.of(signingKey));
        for (String text : targets(environment)) {
            CenterName target = CenterName.parse(text);
            if (target.kind().equals(NACOS)) {
                keepNacosFromFiles();
            }
            CenterLogin login = TargetLogin.of(target, name -> environment.getProperty(name, ""));
            outboxes.add(new Outbox(target.toString(), target.open(login), published, signer));
        }
    }

    /** As a list: read as one text, it would be parted at the commas of addresses. */
    private static List<String> targets(Environment environment) {
        return Binder.get(environment)
                .bind("sluice.publish-to", Bindable.listOf(String.class))
                .orElse(List.of());
    }

    /**
     * Nacos's client has these for a whole process only, and this one is ours: it is to leave no copies of what it read and no
     * logs in the home of whoever runs the server.
     */
    private static void keepNacosFromFiles() {
        SnapShotSwitch.setIsSnapShot(false);
        System.setProperty("nacos.logging.default.config.enabled", "false");
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
}
