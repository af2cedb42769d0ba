package io.sluice.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys in a file: PEM blocks of one label, or one key in plain Base64. */
final class KeyFile {
    private static final int LARGEST = 1 << 16;
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z ]{1,40})-----([^-]*)-----END \\1-----");

    private KeyFile() {}

    /** Makes a key of its encoded bytes. */
    interface Decoder<K> {
        K decode(byte[] encoded) throws GeneralSecurityException;
    }

    /**
     * Every key of the file, at least one. What was wrong is never quoted: the file may hold a secret.
     *
     * @param allowed what the file must hold, in the words of a problem
     * @throws RefusedException with the file as its path
     */
    static <K> List<K> read(Path file, String label, String allowed, Decoder<K> decoder) {
        String text = text(file, allowed);
        List<K> keys = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (!block.group(1).equals(label)) {
                throw new RefusedException(file.toString(), "a " + block.group(1), allowed);
            }
            keys.add(key(file, block.group(2), allowed, decoder));
        }
        return keys.isEmpty() ? List.of(key(file, text, allowed, decoder)) : keys;
    }

    private static String text(Path file, String allowed) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LARGEST), US_ASCII);
        } catch (IOException | RuntimeException unreadable) {
            throw new RefusedException(file.toString(), "unreadable", allowed);
        }
    }

    private static <K> K key(Path file, String base64, String allowed, Decoder<K> decoder) {
        try {
            return decoder.decode(Base64.getDecoder().decode(base64.replaceAll("\\s", "")));
        } catch (GeneralSecurityException | IllegalArgumentException noKey) {
            throw new RefusedException(file.toString(), "no such key", allowed);
        }
    }
}
