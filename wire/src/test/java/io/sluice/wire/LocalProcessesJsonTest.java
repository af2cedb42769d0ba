package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalProcessesJsonTest {
    private static List<LocalProcess> read(String json) {
        return LocalProcessesJson.readStrict(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Requirement("C6")
    void aProcessIsReadWithItsVersionLeftOpen() {
        LocalProcess process = read("""
                {"processes":[{"name":"order-blue-1","service":"order","color":"blue","instance":"order@127.0.0.1:8081",
                 "command":["java","-jar","shop-${version}.jar"],"directory":"shop","environment":{"SLUICE_VERSION":"${version}"},
                 "log":"order.log","ready":"http://127.0.0.1:8081/actuator/health","stopWithin":"5s"}]}""").get(0);

        assertThat(process.color()).isEqualTo(Color.BLUE);
        assertThat(process.command("v2")).containsExactly("java", "-jar", "shop-v2.jar");
        assertThat(process.environment("v2")).isEqualTo(Map.of("SLUICE_VERSION", "v2"));
        assertThat(process.stopWithin()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void whatMayBeMissingHasADefault() {
        LocalProcess process = read("""
                {"processes":[{"name":"a","service":"order","instance":"order@h:1","command":["run"],"ready":"http://h:1/"}]}""").get(0);

        assertThat(process.color()).isNull();
        assertThat(process.directory()).isNull();
        assertThat(process.log()).isNull();
        assertThat(process.environment()).isEmpty();
        assertThat(process.stopWithin()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void everythingWrongIsSaidAtOnce() {
        String json = """
                {"processes":[
                 {"name":"a","service":"order","instance":"order@h:1","command":["run"],"ready":"http://h:1/"},
                 {"name":"a","service":"no service","color":"red","instance":"order@h:1","command":[],"ready":"h:1",
                  "environment":{"1X":"y","X":2},"log":"","stopWithin":"1h","port":8081},
                 {"name":"b","service":"order","instance":"order@h:2","command":["","x"],"ready":"http://u@h/"}],
                 "more":1}""";

        assertThatThrownBy(() -> read(json))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(problem -> problem.path() + " was " + problem.was())
                                .containsExactly(
                                        "processes[1].name was a",
                                        "processes[1].service was no service",
                                        "processes[1].color was red",
                                        "processes[1].instance was order@h:1",
                                        "processes[1].command was empty",
                                        "processes[1].environment was 1X",
                                        "processes[1].environment.X was 2",
                                        "processes[1].log was empty",
                                        "processes[1].ready was h:1",
                                        "processes[1].stopWithin was 1h",
                                        "processes[1].port was unknown",
                                        "processes[2].command was empty",
                                        "processes[2].ready was http://u@h/",
                                        "more was unknown"));
    }

    @Test
    void aFileWithoutProcessesIsRefused() {
        assertThatThrownBy(() -> read("{\"processes\":[]}"))
                .hasMessage("processes was empty, but must have at least one process");
    }
}
