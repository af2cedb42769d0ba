package io.sluice.wire;

import io.sluice.core.problem.RefusedException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;

/** Signs envelopes with one Ed25519 key. Safe for all threads. */
public final class RuleSigner implements RuleVerifier {
    private static final String ALLOWED =
            "must be a file with one Ed25519 private key, as 'openssl genpkey -algorithm ed25519' writes it";

    private final PrivateKey key;

    private RuleSigner(PrivateKey key) {
        this.key = key;
    }

    /**
     * The key of a file: PKCS#8, as PEM or plain Base64.
     *
     * @throws RefusedException when the file holds no such key
     */
    public static RuleSigner read(Path file) {
        List<PrivateKey> keys = KeyFile.read(
                file,
                "PRIVATE KEY",
                ALLOWED,
                encoded -> KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(encoded)));
        if (keys.size() > 1) {
            throw new RefusedException(file.toString(), keys.size() + " keys", ALLOWED);
        }
        return new RuleSigner(keys.get(0));
    }

    public static RuleSigner of(PrivateKey key) {
        RuleSigner signer = new RuleSigner(key);
        try {
            signer.sign(new byte[0]);
        } catch (IllegalStateException foreign) {
            throw new RefusedException("key", "of " + key.getAlgorithm(), "must be a private key of Ed25519");
        }
        return signer;
    }

    byte[] sign(byte[] message) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException("an Ed25519 key that cannot sign", broken);
        }
    }

    /** Ed25519 has one signature for a key and a message, so who signs needs no public key to know its own. */
    @Override
    public boolean accepts(byte[] message, byte[] signature) {
        return MessageDigest.isEqual(sign(message), signature);
    }
}
