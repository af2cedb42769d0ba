package io.sluice.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an input in UTF-8, each ended by LF, CR LF or the end of the input. Takes the same memory for any input:
 * of a line that is too long only the length is kept.
 *
 * <p>Bytes that are not UTF-8 are a flaw of their line. Replacing them, as Java's readers do, would put different keys
 * into one bucket.
 */
public final class Lines {
    private final InputStream in;
    private final int longest;
    private final byte[] block = new byte[1 << 16];
    private final byte[] line;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private int at;
    private int end;
    private long number;

    /** @param longest how many bytes a line may have */
    public Lines(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
        this.line = new byte[longest + 1];
    }

    /** The next line; null at the end of the input. */
    public @Nullable Line next() throws IOException {
        if (at == end && !fill()) {
            return null;
        }
        number++;
        long length = 0;
        while (at < end || fill()) {
            byte b = block[at++];
            if (b == '\n') {
                break;
            }
            if (length < line.length) {
                line[(int) length] = b;
            }
            length++;
        }
        if (length > 0 && length <= line.length && line[(int) length - 1] == '\r') {
            length--;
        }
        return length > longest ? new Line(number, "", length + " bytes") : decoded((int) length);
    }

    private Line decoded(int length) {
        try {
            return new Line(
                    number, decoder.decode(ByteBuffer.wrap(line, 0, length)).toString(), "");
        } catch (CharacterCodingException malformed) {
            return new Line(number, "", "not UTF-8");
        }
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.read(block));
        return end > 0;
    }
}
