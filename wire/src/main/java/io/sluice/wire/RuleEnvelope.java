package io.sluice.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleSet;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A rule set on its way through a store that others can write to: with its revision and checksum outside of it, and
 * perhaps signed. Equal rule sets and signatures are written as equal bytes, on one line.
 *
 * <pre>
 * {"format":1,"epoch":0,"revision":7,"sha256":"&lt;of the document, in hex&gt;","document":"{\\"format\\":1,...}","signature":"&lt;Base64&gt;"}
 * </pre>
 *
 * <p>The signature is Ed25519's of these ASCII bytes, each line ended by one line feed:
 *
 * <pre>
 * sluice-rule-envelope 1
 * &lt;epoch&gt;.&lt;revision&gt;
 * &lt;sha256&gt;
 * </pre>
 */
public final class RuleEnvelope {
    private static final long FORMAT = 1;
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern SIGNATURE = Pattern.compile("[A-Za-z0-9+/]{86}==");

    private final long epoch;
    private final long revision;
    private final String sha256;
    private final String document;
    private final @Nullable String signature;

    private RuleEnvelope(long epoch, long revision, String sha256, String document, @Nullable String signature) {
        this.epoch = epoch;
        this.revision = revision;
        this.sha256 = sha256;
        this.document = document;
        this.signature = signature;
    }

    /** An envelope without a signature. */
    public static RuleEnvelope of(RuleSet rules) {
        byte[] document = RuleSetJson.write(rules);
        return new RuleEnvelope(rules.epoch(), rules.revision(), sha256(document), new String(document, UTF_8), null);
    }

    /** This envelope, signed. */
    public RuleEnvelope signed(RuleSigner signer) {
        String by = Base64.getEncoder().encodeToString(signer.sign(signedBytes()));
        return new RuleEnvelope(epoch, revision, sha256, document, by);
    }

    /**
     * Reads an envelope, perhaps of a newer server: unknown fields are passed over. Nothing is known of its contents
     * before {@link #isIntact()} and, where there is a key, {@link #isSignedFor} were asked.
     *
     * @throws RefusedException with every problem of the envelope
     */
    public static RuleEnvelope read(byte[] json) {
        return JsonText.readCarrier(json, RuleEnvelope::readEnvelope);
    }

    private static RuleEnvelope readEnvelope(Fields in) {
        Read<Long> format = in.whole("format", Fields.LARGEST_WHOLE);
        if (format.isThere() && format.get() != FORMAT) {
            throw new RefusedException("format", String.valueOf(format.get()), "must be " + FORMAT);
        }
        Read<Long> epoch = in.whole("epoch", Fields.LARGEST_WHOLE);
        Read<Long> revision = in.whole("revision", Fields.LARGEST_WHOLE);
        Read<String> sha256 = in.text("sha256", RuleEnvelope::requireSha256);
        Read<String> document = in.text("document");
        Read<Optional<String>> signature =
                in.optional("signature", Optional.empty(), field -> in.text(field, RuleEnvelope::requireSignature));
        return in.end(() -> new RuleEnvelope(
                epoch.get(),
                revision.get(),
                sha256.get(),
                document.get(),
                signature.get().orElse(null)));
    }

    private static String requireSha256(String text) {
        if (SHA_256.matcher(text).matches()) {
            return text;
        }
        throw new RefusedException("", text.isEmpty() ? "empty" : text, "must be 64 digits of 0-9a-f");
    }

    private static Optional<String> requireSignature(String text) {
        if (SIGNATURE.matcher(text).matches()) {
            return Optional.of(text);
        }
        throw new RefusedException("", text.isEmpty() ? "empty" : text, "must be 64 bytes in Base64");
    }

    public byte[] write() {
        ObjectNode out = JsonText.newObject();
        out.put("format", FORMAT);
        out.put("epoch", epoch);
        out.put("revision", revision);
        out.put("sha256", sha256);
        out.put("document", document);
        if (signature != null) {
            out.put("signature", signature);
        }
        return JsonText.write(out);
    }

    public long epoch() {
        return epoch;
    }

    public long revision() {
        return revision;
    }

    /** The rule set within, as it was written. What it says of itself is only known after {@link #rules()}. */
    public String document() {
        return document;
    }

    public boolean isSigned() {
        return signature != null;
    }

    /** Whether the document is the one that the checksum was made of. Proves that nothing was torn, not who wrote it. */
    public boolean isIntact() {
        return sha256.equals(sha256(document.getBytes(UTF_8)));
    }

    /** Whether one of the verifier's keys signed this revision and checksum. */
    public boolean isSignedFor(RuleVerifier verifier) {
        return signature != null
                && verifier.accepts(signedBytes(), Base64.getDecoder().decode(signature));
    }

    /**
     * The rules within.
     *
     * @throws RefusedException when the document is no rule set, or is not the one that the envelope names
     */
    public RuleSet rules() {
        if (!isIntact()) {
            throw new RefusedException("sha256", sha256, "must be the document's");
        }
        RuleSet rules = RuleSetJson.read(document.getBytes(UTF_8));
        if (rules.epoch() != epoch || rules.revision() != revision) {
            throw new RefusedException(
                    "revision",
                    epoch + "." + revision,
                    "must be the document's, " + rules.epoch() + "." + rules.revision());
        }
        return rules;
    }

    private byte[] signedBytes() {
        return ("sluice-rule-envelope " + FORMAT + "\n" + epoch + "." + revision + "\n" + sha256 + "\n")
                .getBytes(US_ASCII);
    }

    private static String sha256(byte[] document) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(document));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
