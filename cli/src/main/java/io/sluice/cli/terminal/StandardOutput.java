package io.sluice.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The process's standard output, unbuffered, which tells a reader that has gone from a disk that is full.
 *
 * <p>Java has no type for the difference and the message is in the user's language, so the kind of file decides: on a
 * pipe or a socket, a failed write means that nobody reads any more.
 */
final class StandardOutput extends OutputStream {
    private static final int KIND = 0xf000;
    private static final int PIPE = 0x1000;
    private static final int SOCKET = 0xc000;

    private final OutputStream out = new FileOutputStream(FileDescriptor.out);

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException failure) {
            throw isReadBySomebody() ? new ReaderGoneException(failure) : failure;
        }
    }

    private static boolean isReadBySomebody() {
        try {
            int kind = (int) Files.getAttribute(Path.of("/dev/stdout"), "unix:mode") & KIND;
            return kind == PIPE || kind == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
            return false;
        }
    }
}
