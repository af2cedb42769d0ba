package io.sluice.server.rules;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * An event on its way out, in small pieces: the container keeps a copy of what a connection does not take at once, so it is
 * never given more than one piece. Used by one thread at a time.
 */
final class Outgoing {
    // With its frame and the headers it fits into the 8 KB that a connection has for writing anyway; for anything more
    // the
    // container takes another 64 KB, for good.
    private static final int PIECE = 7 << 10;

    private final List<byte[]> parts;
    private int part;
    private int offset;

    Outgoing(List<byte[]> parts) {
        this.parts = parts;
    }

    boolean isOver() {
        return part == parts.size();
    }

    void writePiece(OutputStream out) throws IOException {
        byte[] bytes = parts.get(part);
        int length = Math.min(PIECE, bytes.length - offset);
        out.write(bytes, offset, length);
        offset += length;
        if (offset == bytes.length) {
            part++;
            offset = 0;
        }
    }
}
