package io.sluice.wire;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;

/** Knows whether a signature is one of those that are trusted. Safe for all threads; never throws. */
@FunctionalInterface
public interface RuleVerifier {
    boolean accepts(byte[] message, byte[] signature);

    /**
     * Trusts the Ed25519 keys of a file: X.509, as one or several PEM blocks, or one in plain Base64. Several keys let the
     * server change its own without a gap.
     *
     * @throws io.sluice.core.problem.RefusedException when the file holds no such key, or another as well
     */
    static RuleVerifier read(Path file) {
        return of(KeyFile.read(
                file,
                "PUBLIC KEY",
                "must be a file with Ed25519 public keys, as 'openssl pkey -pubout' writes them",
                encoded -> KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded))));
    }

    /** Trusts these Ed25519 keys. */
    static RuleVerifier of(List<PublicKey> keys) {
        List<PublicKey> trusted = List.copyOf(keys);
        return (message, signature) -> trusted.stream().anyMatch(key -> isBy(key, message, signature));
    }

    private static boolean isBy(PublicKey key, byte[] message, byte[] signature) {
        try {
            Signature check = Signature.getInstance("Ed25519");
            check.initVerify(key);
            check.update(message);
            return check.verify(signature);
        } catch (GeneralSecurityException refused) {
            return false;
        }
    }
}
