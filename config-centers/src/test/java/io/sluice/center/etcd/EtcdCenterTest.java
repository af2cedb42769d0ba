package io.sluice.center.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.Auth;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import io.sluice.center.CenterException;
import io.sluice.center.CenterRuleSource;
import io.sluice.center.RealServer;
import io.sluice.center.Refusal;
import io.sluice.center.Rules;
import io.sluice.center.ServedCenterContract;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleState;
import io.sluice.testing.EtcdProcess;
import io.sluice.testing.Line;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@NeedsProgram(value = EtcdProcess.PROGRAM, install = EtcdProcess.INSTALL)
class EtcdCenterTest extends ServedCenterContract {
    @Override
    protected RealServer startCenter() throws Exception {
        return new RealEtcd();
    }

    @Test
    @Requirement("F10")
    void aCompactionPastTheWatchIsSurvived() throws Exception {
        try (Line line = Line.to(server().port())) {
            put(R7);
            // Only the watch can find what is new, once it was begun again behind the compaction.
            CenterRuleSource source = follow(CenterRuleSource.builder(server().connect(line.port(), name))
                    .rereadEvery(Duration.ofHours(1)));
            warmUp(source);

            line.cut();
            for (int revision = 100; revision < 120; revision++) {
                put(Rules.at(revision, 10));
            }
            ((RealEtcd) real).compact();
            line.mend();

            await().until(() -> source.current().revision() == 119);
            RuleSet after = Rules.at(200, 50);
            put(after);
            await().until(() -> source.current().equals(after));
        }
    }

    /** On a server of its own: who may do what holds for all of a server. */
    @Test
    @Timeout(300)
    @Requirement({"F11", "T22"})
    void whoMayNotReadKeepsItsRulesAndWhoMayNotWriteIsRefused() throws Exception {
        try (RealEtcd guarded = new RealEtcd();
                Client root = guarded.client()) {
            Auth auth = root.getAuthClient();
            addUser(auth, "root", "root", null);
            addUser(auth, "server", "writer", Permission.Type.READWRITE);
            addUser(auth, "order", "reader", Permission.Type.READ);
            auth.authEnable().get();
            String address = "http://127.0.0.1:" + guarded.port() + "/sluice/rules";
            EtcdCenter server = open(EtcdCenter.of(address, "server", "secret"));
            server.write(Rules.envelope(R7), WITHIN);

            CenterRuleSource order = follow(CenterRuleSource.builder(EtcdCenter.of(address, "order", "secret"))
                    .rereadEvery(Duration.ofMillis(500))
                    .staleAfter(Duration.ofSeconds(1)));
            await().until(() -> order.current().equals(R7));
            assertThatThrownBy(() ->
                            open(EtcdCenter.of(address, "order", "secret")).write(new byte[] {1}, WITHIN))
                    .isInstanceOfSatisfying(
                            CenterException.class,
                            refused -> assertThat(refused.isDenied())
                                    .as(refused.toString())
                                    .isTrue());
            CenterRuleSource nobody = follow(CenterRuleSource.builder(EtcdCenter.of(address)));
            await().until(() -> nobody.refused(Refusal.DENIED) > 0);
            CenterRuleSource stranger = follow(CenterRuleSource.builder(EtcdCenter.of(address, "order", "wrong")));
            await().until(() -> stranger.refused(Refusal.DENIED) > 0);

            try (Client admin = Client.builder()
                    .endpoints("http://127.0.0.1:" + guarded.port())
                    .user(bytes("root"))
                    .password(bytes("secret"))
                    .build()) {
                admin.getAuthClient()
                        .userRevokeRole(bytes("order"), bytes("reader"))
                        .get();
            }

            await().until(() -> order.refused(Refusal.DENIED) > 0 && order.state() == RuleState.STALE);
            assertThat(order.current()).isEqualTo(R7);
            assertThat(order.lastRefusal().get(0).allowed()).isEqualTo("must let this process read the rules");
        }
    }

    private static void addUser(Auth auth, String user, String role, Permission.Type may) throws Exception {
        auth.userAdd(bytes(user), bytes("secret")).get();
        auth.roleAdd(bytes(role)).get();
        if (may != null) {
            auth.roleGrantPermission(bytes(role), bytes("/sluice/rules"), bytes(""), may)
                    .get();
        }
        auth.userGrantRole(bytes(user), bytes(role)).get();
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }
}
