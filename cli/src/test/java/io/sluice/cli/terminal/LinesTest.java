package io.sluice.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinesTest {
    @Test
    void anEndedInputHasNoEmptyLineAfterIt() throws IOException {
        assertThat(read("a\n\nb\n")).containsExactly(new Line(1, "a", ""), new Line(2, "", ""), new Line(3, "b", ""));
        assertThat(read("")).isEmpty();
    }

    @Test
    void aLineMayHaveExactlyTheLimit() throws IOException {
        assertThat(read("12345678\r\n123456789\n12345678"))
                .containsExactly(new Line(1, "12345678", ""), new Line(2, "", "9 bytes"), new Line(3, "12345678", ""));
    }

    @Test
    void aLineAcrossBlocksIsOneLine() throws IOException {
        String many = "é\n".repeat(50_000);

        assertThat(read("x" + many).subList(1, 50_000))
                .allMatch(line -> line.text().equals("é"));
    }

    @Test
    void ofALineThatIsTooLongOnlyTheLengthIsKept() throws IOException {
        Lines lines = new Lines(new Endless(100_000_000), 8);

        assertThat(lines.next()).isEqualTo(new Line(1, "", "100000000 bytes"));
        assertThat(lines.next()).isNull();
    }

    private static List<Line> read(String input) throws IOException {
        Lines lines = new Lines(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), 8);
        List<Line> read = new ArrayList<>();
        for (Line line = lines.next(); line != null; line = lines.next()) {
            read.add(line);
        }
        return read;
    }

    /** So many bytes without a line's end. */
    private static final class Endless extends InputStream {
        private long left;

        Endless(long bytes) {
            left = bytes;
        }

        @Override
        public int read() {
            throw new AssertionError("a single byte was asked for: a long input would take for ever");
        }

        @Override
        public int read(byte[] block, int offset, int length) {
            int n = (int) Math.min(left, length);
            left -= n;
            return n == 0 ? -1 : n;
        }
    }
}
