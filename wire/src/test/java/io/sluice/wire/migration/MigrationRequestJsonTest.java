package io.sluice.wire.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrationRequestJsonTest {
    private static final String JSON = "{\"name\":\"inventory\",\"why\":\"one stock for all\"}";

    @Test
    void aRequestIsReadAndWrittenBackByteForByte() {
        MigrationRequest request = MigrationRequestJson.readStrict(JSON.getBytes(UTF_8));

        assertThat(request).isEqualTo(new MigrationRequest("inventory", "one stock for all"));
        assertThat(new String(MigrationRequestJson.write(request), UTF_8)).isEqualTo(JSON);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            {"name":"In ventory","why":"w"}       | 'name was In ventory, but must have 1..63 of a-z 0-9 -, starting with a letter'
            {"name":"9","why":"w"}                | 'name was 9, but must have 1..63 of a-z 0-9 -, starting with a letter'
            {"why":"w"}                           | 'name was missing, but must be a text'
            {"name":"inventory"}                  | 'why was empty, but must say why, for the journal, in at most 500 characters'
            {"name":"inventory","why":" "}        | 'why was empty, but must say why, for the journal, in at most 500 characters'
            """)
    void whatIsWrongIsNamed(String json, String problem) {
        assertThatThrownBy(() -> MigrationRequestJson.readStrict(json.getBytes(UTF_8)))
                .isInstanceOf(RefusedException.class)
                .hasMessage(problem);
    }

    @Test
    void aMistypedFieldIsRefused() {
        assertThatThrownBy(() -> MigrationRequestJson.readStrict(
                        JSON.replace("\"why\"", "\"wy\"").getBytes(UTF_8)))
                .hasMessageContaining("wy was");
    }
}
