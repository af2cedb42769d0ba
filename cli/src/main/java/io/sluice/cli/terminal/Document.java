package io.sluice.cli.terminal;

import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A document named on the command line: a file, or standard input for {@code -}. Never read beyond its limit. */
public final class Document {
    private static final int LARGEST = 1 << 20;
    private static final String ALLOWED = "must be at most " + LARGEST + " bytes";

    private Document() {}

    /**
     * Its bytes.
     *
     * @throws RefusedException when there is no such file, or it is too large
     */
    public static byte[] read(String name, Terminal terminal) {
        return read("FILE", name, terminal);
    }

    /**
     * Its bytes.
     *
     * @param option what named it, for the refusal
     * @throws RefusedException when there is no such file, or it is too large
     */
    public static byte[] read(String option, String name, Terminal terminal) {
        try {
            if (name.equals("-")) {
                return upToLimit(option, terminal.in(), 0);
            }
            Path file = Path.of(name);
            try (InputStream in = Files.newInputStream(file)) {
                return upToLimit(option, in, Files.size(file));
            }
        } catch (IOException | InvalidPathException unreadable) {
            throw new RefusedException(
                    option, name.isEmpty() ? "empty" : name, "must be a file that can be read, or -");
        }
    }

    /** @param size as the file system says it; a pipe has none */
    private static byte[] upToLimit(String option, InputStream in, long size) throws IOException {
        byte[] bytes = in.readNBytes(LARGEST + 1);
        if (bytes.length > LARGEST) {
            String was = size > LARGEST ? size + " bytes" : "more than " + LARGEST + " bytes";
            throw new RefusedException(option, was, ALLOWED);
        }
        return bytes;
    }
}
