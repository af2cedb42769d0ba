package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The published schemas say what the readers do. */
class SchemaTest {
    private enum Document {
        RULE_SET("rule-set", RuleSetJson::readStrict),
        RELEASE("release", ReleaseSpecJson::readRequest),
        OBSERVATIONS("observations", ObservationBatchJson::read);

        private final JsonNode tree;
        private final Schema schema;
        private final Consumer<byte[]> reader;

        Document(String name, Consumer<byte[]> reader) {
            this.tree = JsonMapper.shared().readTree(resource(name));
            this.schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(resource(name));
            this.reader = reader;
        }

        boolean schemaAccepts(String json) {
            return schema.validate(json, InputFormat.JSON).isEmpty();
        }

        List<Problem> problems(String json) {
            RefusedException refused =
                    catchThrowableOfType(RefusedException.class, () -> reader.accept(json.getBytes(UTF_8)));
            return refused == null ? List.of() : refused.problems();
        }

        private static String resource(String name) {
            try (InputStream schema = RuleSetJson.class.getResourceAsStream(name + ".schema.json")) {
                return new String(schema.readAllBytes(), UTF_8);
            } catch (IOException unreadable) {
                throw new AssertionError(unreadable);
            }
        }
    }

    private static final String RULE_SET = """
            {"format":1,"epoch":1,"revision":2,"releases":[{"id":"r","version":"v2","services":["a"],"percent":1,\
            "salt":"s","hash":"fnv1a","step":1,"allow":["u"],"slowerThan":"1s",\
            "rules":[{"name":"n","match":{"header":{"name":"h","value":"v"}},"percent":"0.5"}]}]}""";
    private static final String HEADER = "{'header':{'name':'h','value':'v'}}";
    private static final String RELEASE = """
            {"id":"r","version":"v2","services":["a"],"why":"w",\
            "plan":{"stages":[{"percent":10,"hold":"1m"},{"percent":100,"hold":"0s"}]},\
            "guard":{"minSamples":1,"maxErrorRate":0.02,"maxP99":"300ms","maxSilence":"30s"}}""";
    private static final String OBSERVATIONS = """
            {"instance":"a@1","service":"a","version":"stable","run":1,"sequence":7,"entries":[\
            {"release":"r","step":3,"lane":"canary","count":10,"failed":1,"slow":0,"latencies":{"120":4,"133":6}}]}""";

    static Stream<Arguments> examples() {
        return Stream.of(
                accepted(Document.RULE_SET, RULE_SET),
                accepted(Document.RULE_SET, "{'format':1,'releases':[]}"),
                accepted(Document.RULE_SET, with(RULE_SET, "'percent':1", "'percent':'33.33'")),
                accepted(Document.RULE_SET, with(RULE_SET, "'percent':1", "'percent':33.33")),
                accepted(Document.RULE_SET, with(RULE_SET, "'percent':1", "'aborted':'why'")),
                refused(Document.RULE_SET, with(RULE_SET, "'percent':1", "'aborted':''")),
                refused(Document.RULE_SET, with(RULE_SET, "'percent':1", "'aborted':'a\\u0007'")),
                refused(Document.RULE_SET, with(RULE_SET, "'id':'r'", "'id':'con'")),
                refused(Document.RULE_SET, with(RULE_SET, "'id':'r'", "'id':'com1.x'")),
                accepted(Document.RULE_SET, with(RULE_SET, "'id':'r'", "'id':'console'")),
                refused(Document.RULE_SET, with(RULE_SET, "'allow':['u']", "'allow':['a\\u202e']")),
                refused(Document.RULE_SET, with(RULE_SET, "'name':'h'", "'name':'X Canary'")),
                refused(Document.RULE_SET, with(RULE_SET, "'value':'v'", "'value':' v'")),
                refused(Document.RULE_SET, with(RULE_SET, "'value':'v'", "'value':'v '")),
                accepted(Document.RULE_SET, with(RULE_SET, "'value':'v'", "'value':'v w'")),
                refused(Document.RULE_SET, with(RULE_SET, HEADER, "{'cookie':{'name':'c','value':'a;b'}}")),
                refused(Document.RULE_SET, with(RULE_SET, HEADER, "{'cookie':{'name':'c','value':'a,b'}}")),
                refused(Document.RULE_SET, with(RULE_SET, HEADER, "{'cookie':{'name':'c=','value':'a'}}")),
                accepted(Document.RULE_SET, with(RULE_SET, HEADER, "{'cookie':{'name':'c','value':'[a]=-+:<'}}")),
                refused(Document.RULE_SET, with(RULE_SET, HEADER, "{'uid':['a\\n']}")),
                refused(Document.RULE_SET, with(RULE_SET, HEADER, "{'uidSuffix':'\\u2066'}")),
                accepted(Document.RULE_SET, with(RULE_SET, HEADER, "{'uid':['a']}")),
                accepted(Document.RULE_SET, with(RULE_SET, HEADER, "{'all':[{'channel':'app'}]}")),
                refused(Document.RULE_SET, "{}"),
                refused(Document.RULE_SET, "{'format':2,'releases':[]}"),
                refused(Document.RULE_SET, with(RULE_SET, "'epoch':1", "'epoch':-1")),
                refused(Document.RULE_SET, with(RULE_SET, "'epoch':1", "'colour':1")),
                refused(Document.RULE_SET, with(RULE_SET, "'revision':2", "'revision':9223372036854775807")),
                refused(Document.RULE_SET, with(RULE_SET, "'percent':1", "'percent':101")),
                refused(Document.RULE_SET, with(RULE_SET, "'percent':1", "'percent':0.001")),
                refused(Document.RULE_SET, with(RULE_SET, "'percent':1", "'percent':'101'")),
                refused(Document.RULE_SET, with(RULE_SET, "'percent':1", "'percent':1,'aborted':'x'")),
                refused(Document.RULE_SET, with(RULE_SET, "'percent':1,", "")),
                refused(Document.RULE_SET, with(RULE_SET, "'percent':1", "'percent':null")),
                refused(Document.RULE_SET, with(RULE_SET, "'version':'v2'", "'version':'stable'")),
                refused(Document.RULE_SET, with(RULE_SET, "'services':['a']", "'services':[]")),
                refused(Document.RULE_SET, with(RULE_SET, "'services':['a']", "'services':['a','a']")),
                refused(Document.RULE_SET, with(RULE_SET, "'hash':'fnv1a'", "'hash':'md5'")),
                refused(Document.RULE_SET, with(RULE_SET, "'salt':'s'", "'salt':''")),
                refused(Document.RULE_SET, with(RULE_SET, "'allow':['u']", "'allow':['']")),
                refused(Document.RULE_SET, with(RULE_SET, "'slowerThan':'1s'", "'slowerThan':'1 s'")),
                refused(Document.RULE_SET, with(RULE_SET, "'value':'v'", "'value':'v\\n'")),
                refused(Document.RULE_SET, with(RULE_SET, "'value':'v'", "'values':'v'")),
                refused(Document.RULE_SET, with(RULE_SET, HEADER, "{}")),
                refused(Document.RULE_SET, with(RULE_SET, HEADER, "{'country':'NO'}")),
                refused(Document.RULE_SET, with(RULE_SET, "'match':{", "'match':{'channel':'app',")),
                accepted(Document.RELEASE, RELEASE),
                accepted(Document.RELEASE, with(RELEASE, "0.02", "'2%'")),
                accepted(Document.RELEASE, with(RELEASE, "0.02", "0.000001")),
                accepted(
                        Document.RELEASE,
                        "{'id':'r','version':'v2','services':['a'],'plan':{'hold':'1m'},"
                                + "'guard':{'minSamples':1,'maxErrorRate':0,'maxP99':'1ms'}}"),
                refused(Document.RELEASE, "{}"),
                refused(Document.RELEASE, with(RELEASE, "'plan':{", "'plan':{'hold':'1m',")),
                refused(Document.RELEASE, with(RELEASE, "'stages':[{'percent':10,'hold':'1m'},", "'stages':[{},")),
                refused(Document.RELEASE, with(RELEASE, "'minSamples':1", "'minSamples':0")),
                refused(Document.RELEASE, with(RELEASE, "'minSamples':1,", "")),
                refused(Document.RELEASE, with(RELEASE, "'maxP99':'300ms'", "'maxP99':300")),
                refused(Document.RELEASE, with(RELEASE, "0.02", "1.01")),
                refused(Document.RELEASE, with(RELEASE, "'why':'w'", "'why':'" + "w".repeat(501) + "'")),
                accepted(Document.OBSERVATIONS, OBSERVATIONS),
                accepted(Document.OBSERVATIONS, with(OBSERVATIONS, "'run':1", "'run':1,'since':5")),
                refused(Document.OBSERVATIONS, "{}"),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'release':'r'", "'release':'nul'")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "canary", "green")),
                accepted(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':1e1")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':10.5")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'133':6", "'0133':6")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'133':6", "'133':0")),
                accepted(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':10,'seen':'AEH/9w'")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':10,'seen':'A-ED'")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':10,'seen':null")),
                refused(Document.OBSERVATIONS, withCustomers("A".repeat(2_733))),
                refused(Document.OBSERVATIONS, withCustomers("AAAA AAAAAA")),
                accepted(Document.OBSERVATIONS, withCustomers("AAAAAAAAAAg")),
                accepted(Document.OBSERVATIONS, withCustomers("AAAAAAAAAAg=")),
                accepted(Document.OBSERVATIONS, withCustomers("")),
                accepted(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':10,'slowLevel':40")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':10,'slowLevel':41")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':10,'anonymous':-1")),
                accepted(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':10,'anonymous':1000000")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':10,'anonymous':1000001")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'count':10", "'count':10,'overdue':1000001")),
                refused(Document.OBSERVATIONS, with(OBSERVATIONS, "'a@1'", "'a b'")));
    }

    private static String withCustomers(String text) {
        return with(OBSERVATIONS, "'count':10", "'count':10,'failedCustomers':'" + text + "'");
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("examples")
    void schemaAndReaderSayTheSame(Document document, boolean accepted, String json) {
        assertThat(document.problems(json).isEmpty()).as("reader").isEqualTo(accepted);
        assertThat(document.schemaAccepts(json)).as("schema").isEqualTo(accepted);
    }

    static Stream<Arguments> objects() {
        return Stream.of(
                Arguments.of(Document.RULE_SET, "", "{", RULE_SET),
                Arguments.of(Document.RULE_SET, "/$defs/release", "'releases':[{", RULE_SET),
                Arguments.of(Document.RULE_SET, "/$defs/rule", "'rules':[{", RULE_SET),
                Arguments.of(Document.RULE_SET, "/$defs/match/properties/header", "'header':{", RULE_SET),
                Arguments.of(Document.RELEASE, "", "{", RELEASE),
                Arguments.of(Document.RELEASE, "/$defs/plan", "'plan':{", RELEASE),
                Arguments.of(Document.RELEASE, "/$defs/stage", "'stages':[{", RELEASE),
                Arguments.of(Document.RELEASE, "/$defs/guard", "'guard':{", RELEASE));
    }

    @ParameterizedTest(name = "{0}{1}")
    @MethodSource("objects")
    void schemaHasExactlyTheFieldsThatTheReaderKnows(Document document, String pointer, String opening, String json) {
        String quoted = opening.replace('\'', '"');
        int at = json.indexOf(quoted) + quoted.length();

        List<Problem> problems = document.problems(json.substring(0, at) + "\"colour\":1," + json.substring(at));

        String[] fields =
                document.tree.at(pointer + "/properties").propertyNames().toArray(String[]::new);
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.was()).isEqualTo("unknown");
            assertThat(problem.allowed().replace("must be one of ", "").split(", "))
                    .containsExactlyInAnyOrder(fields);
        });
    }

    @Test
    void sharedPartsAreTheSameInBothSchemas() {
        for (String part : List.of("service", "version", "percent", "duration", "rule", "match")) {
            assertThat(Document.RELEASE.tree.at("/$defs/" + part))
                    .as(part)
                    .isEqualTo(Document.RULE_SET.tree.at("/$defs/" + part));
        }
    }

    private static Arguments accepted(Document document, String json) {
        return Arguments.of(document, true, json.replace('\'', '"'));
    }

    private static Arguments refused(Document document, String json) {
        return Arguments.of(document, false, json.replace('\'', '"'));
    }

    private static String with(String json, String target, String replacement) {
        String changed = json.replace(target.replace('\'', '"'), replacement.replace('\'', '"'));
        assertThat(changed).as(target).isNotEqualTo(json);
        return changed;
    }
}
