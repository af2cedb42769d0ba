package io.sluice.core.observation;

import io.sluice.core.problem.RefusedException;
import java.util.Base64;

/** Reads base64 of a bounded number of items of one width. */
final class HashText {
    private HashText() {}

    static byte[] bytes(String path, String text, int mostBytes, int width) {
        String allowed = "must be base64 of at most " + mostBytes + " bytes in items of " + width;
        if (text.length() > mostBytes / 3 * 4 + 4) {
            throw new RefusedException(path, text.length() + " characters", allowed);
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            throw new RefusedException(path, text, allowed);
        }
        if (bytes.length > mostBytes || bytes.length % width != 0) {
            throw new RefusedException(path, bytes.length + " bytes", allowed);
        }
        return bytes;
    }
}
