package io.sluice.wire.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventParserTest {
    private final List<String> events = new ArrayList<>();
    private final EventParser parser =
            new EventParser((name, data) -> events.add(name + "=" + new String(data, UTF_8)));

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "event: rules~id: 1.2~data: {}~~|rules={}",
                "event:rules~data:{}~~|rules={}",
                "data: no name~~|message=no name",
                "event: rules~data: a~data: b~~|rules=a/b",
                ": comment~event: beat~data:  two spaces~~|beat= two spaces",
                "event: rules~data~~|rules=",
                "event: beat~data: é漢~~|beat=é漢",
            })
    void eventIsCutOutOfItsLines(String stream, String event) {
        feed(stream.replace('~', '\n'));

        assertThat(events).containsExactly(event.replace('/', '\n'));
    }

    @Test
    void linesMayEndInCarriageReturnAndLineFeed() {
        feed("event: rules\r\ndata: a\r\n\r\nevent: beat\r\ndata: 1.2\r\n\r\n");

        assertThat(events).containsExactly("rules=a", "beat=1.2");
    }

    @Test
    void eventsMayArriveByteByByte() {
        for (byte next : "event: rules\ndata: é\n\ndata: x\n\n".getBytes(UTF_8)) {
            parser.feed(ByteBuffer.wrap(new byte[] {next}));
        }

        assertThat(events).containsExactly("rules=é", "message=x");
    }

    @Test
    void eventWithoutDataOrWithoutItsEndIsNone() {
        feed("event: rules\n\n: beat\n\ndata: half");

        assertThat(events).isEmpty();
    }

    @Test
    void endlessEventIsRefusedInsteadOfHeld() {
        String line = "data: " + "x".repeat(100_000) + "\n";

        assertThatThrownBy(() -> feed(line.repeat(11))).isInstanceOf(RefusedException.class);
    }

    private void feed(String text) {
        parser.feed(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }
}
