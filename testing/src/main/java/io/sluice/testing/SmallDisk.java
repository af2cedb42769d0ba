package io.sluice.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A small disk of its own, in memory, that a test fills. Only root may mount one; for others the test is skipped. */
public final class SmallDisk implements AutoCloseable {
    private static final int PAGE = 4096;

    private final Path root;
    private final Path filler;

    private SmallDisk(Path root) {
        this.root = root;
        this.filler = root.resolve("filler");
    }

    /** @param size as mount takes it, like {@code 128k} */
    public static SmallDisk mount(Path root, String size) throws IOException, InterruptedException {
        assumeTrue(
                run("/usr/bin/mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", root.toString()),
                "this user may not mount a disk");
        return new SmallDisk(root);
    }

    /** Leaves no room for anything. */
    public void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(new byte[PAGE]);
            }
        } catch (IOException full) {
            if (Files.size(filler) == 0) {
                throw full;
            }
        }
    }

    /** Leaves room for so many pages of 4 KiB. */
    public void fillUpTo(int pagesFree) throws IOException {
        fill();
        long pages = Files.size(filler) / PAGE;
        try (FileChannel open = FileChannel.open(filler, StandardOpenOption.WRITE)) {
            open.truncate((pages - pagesFree) * PAGE);
        }
    }

    /** Gives the room back. */
    public void empty() throws IOException {
        Files.delete(filler);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        run("/usr/bin/umount", root.toString());
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
