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

    /** @throws RefusedException when there is no such file, or it is too large */
    public static byte[] read(String name, Terminal terminal) {
        try {
            if (name.equals("-")) {
                return upToLimit(terminal.in(), "more than " + LARGEST + " bytes");
            }
            Path file = Path.of(name);
            try (InputStream in = Files.newInputStream(file)) {
                return upToLimit(in, Files.size(file) + " bytes");
            }
        } catch (IOException | InvalidPathException unreadable) {
            throw new RefusedException(
                    "FILE", name.isEmpty() ? "empty" : name, "must be a file that can be read, or -");
        }
    }

    private static byte[] upToLimit(InputStream in, String size) throws IOException {
        byte[] bytes = in.readNBytes(LARGEST + 1);
        if (bytes.length > LARGEST) {
            throw new RefusedException("FILE", size, ALLOWED);
        }
        return bytes;
    }
}
