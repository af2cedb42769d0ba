package io.sluice.server.deployers;

import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs what is sent with a secret that the receiver has too. Never shows it. */
final class Signature {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SHORTEST = 16;
    private static final int LONGEST = 4096;

    private final SecretKeySpec secret;

    Signature(byte[] secret) {
        this.secret = new SecretKeySpec(secret, ALGORITHM);
    }

    /**
     * Takes the secret from a file, without the line's end that editors put there.
     *
     * @throws RefusedException when it cannot be read or is no secret
     */
    static Signature from(Path file) {
        byte[] secret;
        try {
            if (Files.size(file) > LONGEST) {
                throw new RefusedException("--webhook-secret-file", file.toString(), "must have at most 4096 bytes");
            }
            secret = Files.readString(file).strip().getBytes(StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new RefusedException("--webhook-secret-file", file.toString(), "must be a file of text to read");
        }
        if (secret.length < SHORTEST) {
            throw new RefusedException(
                    "--webhook-secret-file",
                    secret.length + " bytes",
                    "must have at least " + SHORTEST + " bytes, like the output of openssl rand -hex 32");
        }
        return new Signature(secret);
    }

    /** Of {@code timestamp.body}, as it stands in the header. */
    String of(String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            mac.update((timestamp + ".").getBytes(StandardCharsets.US_ASCII));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, missing);
        }
    }
}
