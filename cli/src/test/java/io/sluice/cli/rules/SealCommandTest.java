package io.sluice.cli.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.testing.Requirement;
import io.sluice.wire.RuleEnvelope;
import io.sluice.wire.RuleSetJson;
import io.sluice.wire.RuleVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement({"D4", "D6"})
class SealCommandTest {
    private static final String RULES = """
            {"format":1,"epoch":1,"revision":7,"releases":[
              {"id":"r","version":"v2","services":["order"],"percent":25}]}
            """;

    @TempDir
    private Path dir;

    @Test
    void whatIsSealedIsWhatProcessesRead() {
        Ran ran = Ran.fed(RULES, "rules", "seal", "-");

        assertThat(ran.code()).isZero();
        RuleEnvelope envelope = RuleEnvelope.read(ran.out().getBytes(UTF_8));
        assertThat(envelope.rules()).isEqualTo(RuleSetJson.readStrict(RULES.getBytes(UTF_8)));
        assertThat(envelope.isSigned()).isFalse();
    }

    @Test
    @Requirement("F12")
    void withAKeyItIsSigned() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        Path key = Files.writeString(
                dir.resolve("key"),
                Base64.getEncoder().encodeToString(keys.getPrivate().getEncoded()));
        Path output = dir.resolve("rules.json");

        assertThat(Ran.fed(RULES, "rules", "seal", "-", "--signing-key=" + key, "--output=" + output))
                .isEqualTo(Ran.printed("{\"epoch\":1,\"revision\":7,\"signed\":true}"));

        RuleEnvelope envelope = RuleEnvelope.read(Files.readAllBytes(output));
        assertThat(envelope.isSignedFor(RuleVerifier.of(List.of(keys.getPublic()))))
                .isTrue();
    }

    @Test
    void whatIsSealedIsLintedAndExplainedAsItsRulesAre() {
        String sealed = Ran.fed(RULES, "rules", "seal", "-").out();

        assertThat(Ran.fed(sealed, "rules", "lint", "-")).isEqualTo(Ran.fed(RULES, "rules", "lint", "-"));
        assertThat(Ran.fed(sealed, "rules", "explain", "-", "--uid=1"))
                .isEqualTo(Ran.fed(RULES, "rules", "explain", "-", "--uid=1"));
        assertThat(Ran.fed(sealed, "rules", "seal", "-").out()).isEqualTo(sealed);
        assertThat(Ran.fed(sealed.replace(":25", ":99"), "rules", "lint", "-").err())
                .contains("but must be the document's");
    }

    @Test
    void whatLintRefusesIsNotSealed() {
        String bad = RULES.replace("25", "120").replace("\"v2\"", "\"stable\"").replace("\"epoch\"", "\"epok\"");
        Path output = dir.resolve("rules.json");

        Ran ran = Ran.fed(bad, "rules", "seal", "-", "--output=" + output);

        assertThat(ran).isEqualTo(Ran.fed(bad, "rules", "lint", "-"));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err().lines()).hasSize(3);
        assertThat(output).doesNotExist();
    }

    @Test
    void whatNoProcessWouldTakeIsNotSealed() {
        assertThat(Ran.fed("{\"format\":1,\"releases\":[]}", "rules", "seal", "-"))
                .isEqualTo(Ran.refused("revision was 0, but must be at least 1 to be taken"));
    }

    @Test
    void newerOrOtherRulesAreNotWrittenOver() throws IOException {
        Path output = dir.resolve("rules.json");
        seal(RULES, output);

        seal(RULES, output);
        seal(RULES.replace(":7", ":8"), output);
        byte[] held = Files.readAllBytes(output);

        assertThat(Ran.fed(RULES, "rules", "seal", "-", "--output=" + output))
                .isEqualTo(Ran.refused(
                        "--output was " + output + ", which holds 1.8, but must hold what is older than 1.7"));
        assertThat(Ran.fed(RULES.replace(":7", ":8").replace("25", "26"), "rules", "seal", "-", "--output=" + output)
                        .err())
                .contains("which holds other rules of 1.8, but must hold what is older than 1.8");
        assertThat(output).hasBinaryContent(held);
    }

    @Test
    void whatIsNoEnvelopeIsNotWrittenOver() throws IOException {
        Path output = Files.writeString(dir.resolve("rules.json"), RULES);

        assertThat(Ran.sluice("rules", "seal", output.toString(), "--output=" + output)
                        .err())
                .contains("which holds something else, but must be new, empty, or hold an envelope");
        assertThat(output).hasContent(RULES);
        seal(RULES, Files.writeString(dir.resolve("empty"), ""));
    }

    @Test
    void everyBadOptionIsNamed() {
        assertThat(Ran.fed(RULES, "rules", "seal", "-", "--signing-key=/no/key", "--output=/no/where")
                        .err()
                        .lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("--signing-key was /no/key, unreadable, but must be a file with one Ed25519 private key");
    }

    private static void seal(String rules, Path output) {
        assertThat(Ran.fed(rules, "rules", "seal", "-", "--output=" + output).code())
                .isZero();
    }
}
