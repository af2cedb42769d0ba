package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.NeedsProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleEnvelopeTest {
    private static final RuleSet RULES = RuleSet.of(1, 7, List.of());

    private final KeyPair keys = newKeys();
    private final RuleSigner signer = RuleSigner.of(keys.getPrivate());
    private final RuleVerifier verifier = RuleVerifier.of(List.of(keys.getPublic()));

    @TempDir
    Path directory;

    @Test
    void carriesRulesThere() {
        RuleEnvelope arrived =
                RuleEnvelope.read(RuleEnvelope.of(RULES).signed(signer).write());

        assertThat(arrived.rules()).isEqualTo(RULES);
        assertThat(arrived.epoch()).isEqualTo(1);
        assertThat(arrived.revision()).isEqualTo(7);
        assertThat(arrived.isIntact()).isTrue();
        assertThat(arrived.isSignedFor(verifier)).isTrue();
        assertThat(arrived.isSignedFor(signer)).isTrue();
    }

    /** Anybody may check or make an envelope with other tools, so this is a promise to them. */
    @Test
    void isWrittenAsItAlwaysWas() {
        assertThat(new String(RuleEnvelope.of(RULES).write(), UTF_8))
                .isEqualTo(
                        "{\"format\":1,\"epoch\":1,\"revision\":7,"
                                + "\"sha256\":\"4a99822c8d250a5d2434f0e88d2b17947594a7bb20966d07907cc2cba2b4eb16\","
                                + "\"document\":\"{\\\"format\\\":1,\\\"epoch\\\":1,\\\"revision\\\":7,\\\"releases\\\":[]}\"}");
    }

    @Test
    void isSignedTheSameEachTime() {
        assertThat(RuleEnvelope.of(RULES).signed(signer).write())
                .isEqualTo(RuleEnvelope.of(RULES).signed(signer).write());
    }

    @Test
    void notSignedAtAllIsNotSignedForAnybody() {
        assertThat(RuleEnvelope.of(RULES).isSignedFor(verifier)).isFalse();
    }

    @Test
    void signedByAnotherIsNotSignedForUs() {
        RuleEnvelope foreign =
                RuleEnvelope.of(RULES).signed(RuleSigner.of(newKeys().getPrivate()));

        assertThat(foreign.isSignedFor(verifier)).isFalse();
        assertThat(foreign.isSignedFor(signer)).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "epoch, '\"epoch\":1,\"rev', '\"epoch\":2,\"rev'",
        "revision, '\"revision\":7,\"sha', '\"revision\":8,\"sha'"
    })
    void aSignatureCoversWhatStandsOutside(String field, String written, String forged) {
        String json = new String(RuleEnvelope.of(RULES).signed(signer).write(), UTF_8);

        RuleEnvelope arrived = RuleEnvelope.read(json.replace(written, forged).getBytes(UTF_8));

        assertThat(json).contains(written);
        assertThat(arrived.isSignedFor(verifier)).isFalse();
        assertThatThrownBy(arrived::rules).isInstanceOf(RefusedException.class).hasMessageContaining("revision was");
    }

    @Test
    void aChangedDocumentIsNotIntact() {
        String json = new String(RuleEnvelope.of(RULES).signed(signer).write(), UTF_8);

        RuleEnvelope arrived = RuleEnvelope.read(json.replace("[]}", "[ ]}").getBytes(UTF_8));

        assertThat(arrived.isIntact()).isFalse();
        assertThatThrownBy(arrived::rules).hasMessageContaining("must be the document's");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "{}, format was missing",
        "'{\"format\":2}', 'format was 2, but must be 1'",
        "'{\"format\":1,\"epoch\":0,\"revision\":1,\"releases\":[]}', sha256 was missing",
        "'{\"format\":1,\"epoch\":-1,\"revision\":1,\"sha256\":\"x\",\"document\":\"\",\"signature\":\"y\"}', signature was y",
        "[], must be a JSON object",
        "rules, no JSON"
    })
    void whatIsNoEnvelopeIsRefused(String json, String why) {
        assertThatThrownBy(() -> RuleEnvelope.read(json.getBytes(UTF_8)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(why);
    }

    @Test
    void keysComeFromFiles() throws IOException {
        Path secret = pem("PRIVATE KEY", keys.getPrivate().getEncoded());
        Path published = directory.resolve("public");
        String other = text("PUBLIC KEY", newKeys().getPublic().getEncoded());
        Files.writeString(published, other + text("PUBLIC KEY", keys.getPublic().getEncoded()));
        Path plain = directory.resolve("plain");
        Files.writeString(
                plain, Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()) + "\n");

        RuleEnvelope signed = RuleEnvelope.of(RULES).signed(RuleSigner.read(secret));

        assertThat(signed.isSignedFor(RuleVerifier.read(published))).isTrue();
        assertThat(signed.isSignedFor(RuleVerifier.read(plain))).isTrue();
    }

    @Test
    void aFileWithoutAKeyIsRefusedWithoutQuotingIt() throws IOException {
        Path other = pem("PRIVATE KEY", "secret".getBytes(UTF_8));

        assertThatThrownBy(() -> RuleSigner.read(other))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(other + " was no such key, but must be a file with one Ed25519 private key");
        assertThatThrownBy(() -> RuleVerifier.read(other)).hasMessageContaining("was a PRIVATE KEY, but must be");
        assertThatThrownBy(() -> RuleSigner.read(directory.resolve("absent"))).hasMessageContaining("was unreadable");
    }

    @Test
    @NeedsProgram(value = "/usr/bin/openssl", install = "apt-get install openssl")
    void takesTheKeysThatOpensslMakes() throws Exception {
        Path secret = directory.resolve("key.pem");
        Path published = directory.resolve("public.pem");
        run("/usr/bin/openssl", "genpkey", "-algorithm", "ed25519", "-out", secret.toString());
        run("/usr/bin/openssl", "pkey", "-in", secret.toString(), "-pubout", "-out", published.toString());

        RuleEnvelope signed = RuleEnvelope.of(RULES).signed(RuleSigner.read(secret));

        assertThat(signed.isSignedFor(RuleVerifier.read(published))).isTrue();
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private Path pem(String label, byte[] key) throws IOException {
        return Files.writeString(directory.resolve("pem"), text(label, key));
    }

    private static String text(String label, byte[] key) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(key) + "\n-----END " + label
                + "-----\n";
    }

    private static KeyPair newKeys() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
