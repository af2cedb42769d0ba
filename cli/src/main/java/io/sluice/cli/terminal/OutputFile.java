package io.sluice.cli.terminal;

import io.sluice.core.problem.RefusedException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** A file that a command writes, whole or not at all: what was there before stays until the new one is complete. */
public final class OutputFile {
    private static final String ALLOWED =
            "must be a file, new or to be replaced, in a directory that can be written to";

    private final String given;
    private final Path path;

    private OutputFile(String given, Path path) {
        this.given = given;
        this.path = path;
    }

    /**
     * The file of that name.
     *
     * @throws RefusedException when it is known already that it cannot be written
     */
    public static OutputFile of(String name) {
        try {
            Path path = Path.of(name).toAbsolutePath();
            Path directory = path.getParent();
            boolean isFile = !Files.exists(path) || Files.isRegularFile(path);
            if (!name.isEmpty() && isFile && directory != null && Files.isWritable(directory)) {
                return new OutputFile(name, path);
            }
        } catch (InvalidPathException noPath) {
            // Refused below, as any other name that is no file's.
        }
        throw new RefusedException("", name.isEmpty() ? "empty" : name, ALLOWED);
    }

    /**
     * Writes it beside its place and moves it there.
     *
     * @param option what named the file, for the refusal
     * @throws RefusedException when it could not be written; nothing is left of it then
     */
    public void write(byte[] content, String option) {
        write(out -> out.write(content), option);
    }

    /** What is written to a file. */
    @FunctionalInterface
    public interface Content {
        void to(OutputStream out) throws IOException;
    }

    /**
     * The same for content that is made while it is written. What making it throws comes out as it is, unless it is an
     * {@link IOException}.
     */
    public void write(Content content, String option) {
        Path unfinished = path.resolveSibling(".sluice-" + UUID.randomUUID() + ".tmp");
        try {
            try {
                try (OutputStream out = new BufferedOutputStream(
                        Files.newOutputStream(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                    content.to(out);
                }
                Files.move(unfinished, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException unwritten) {
            throw new RefusedException(option, given, ALLOWED + " (" + unwritten + ")");
        }
    }
}
