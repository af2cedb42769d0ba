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
        CHANNEL_RELEASE("channel-release", ChannelReleaseSpecJson::readRequest),
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
    private static final String CHANNELS = """
            {"format":1,"releases":[],"channels":[{"id":"trade","services":["a","b"],"resting":["a@10.0.0.1:80"],\
            "flow":{"release":"r","version":"v2","admitted":"blue","bluePercent":0,"closed":"blue","step":3,\
            "slowerThan":"300ms","overdueAfter":"1s"}}]}""";
    private static final String HEADER = "{'header':{'name':'h','value':'v'}}";
    private static final String RELEASE = """
            {"id":"r","version":"v2","services":["a"],"why":"w",\
            "plan":{"stages":[{"percent":10,"hold":"1m"},{"percent":100,"hold":"0s"}]},\
            "guard":{"minSamples":1,"maxErrorRate":0.02,"maxP99":"300ms","maxSilence":"30s"}}""";
    private static final String LIMIT = "{'name':'heap-1','critical':false,'query':'max(heap)','max':0.75}";
    private static final String COUNTERS = "{'name':'carts','bad':'lost{lane={{lane}}}','total':'all{lane={{lane}}}'}";
    private static final String BLUE_GREEN = """
            {"strategy":"blue-green","id":"r","channel":"trade","version":"v2","deployer":"manual",\
            "check":"http://127.0.0.1:8081/actuator/health","waits":{"grace":"5s","quiet":"10s"},"why":"w",\
            "plan":{"stages":[{"percent":10,"hold":"1m"},{"percent":100,"hold":"0s"}]},\
            "guard":{"minSamples":1,"maxErrorRate":0.02,"maxP99":"300ms"},\
            "green":[{"percent":10,"hold":"1m"},{"percent":50,"hold":"0s"}],"extra":{"order":1}}""";
    private static final String ROLLING = """
            {"strategy":"rolling","id":"r","channel":"trade","version":"v2","batches":4,"between":"30s"}""";
    private static final String RENEWED = """
            {"format":1,"releases":[],"channels":[{"id":"trade","services":["a"],"renewal":{"release":"r",\
            "version":"v2","step":3,"slowerThan":"300ms","overdueAfter":"1s"}}]}""";
    private static final String GUARDED = """
            {"strategy":"rolling","id":"r","channel":"trade","version":"v2","batches":4,"guard":{"minSamples":1,\
            "maxErrorRate":"2%","maxP99":"300ms","window":"1m","onBreach":"pause","onHold":"abort"}}""";
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
                accepted(Document.RULE_SET, CHANNELS),
                accepted(Document.RULE_SET, "{'format':1,'releases':[],'channels':[{'id':'trade','services':['a']}]}"),
                refused(Document.RULE_SET, "{'format':1,'releases':[],'channels':[{'id':'trade','services':[]}]}"),
                refused(Document.RULE_SET, with(CHANNELS, "'admitted':'blue'", "'admitted':'red'")),
                refused(Document.RULE_SET, with(CHANNELS, "'closed':'blue'", "'closed':'Blue'")),
                refused(Document.RULE_SET, with(CHANNELS, "'bluePercent':0", "'bluePercent':101")),
                refused(Document.RULE_SET, with(CHANNELS, "'bluePercent':0", "'bluePercent':1")),
                refused(Document.RULE_SET, with(CHANNELS, "'bluePercent':0", "'bluePercent':'0.01'")),
                accepted(Document.RULE_SET, with(CHANNELS, "'bluePercent':0", "'bluePercent':'0.00'")),
                refused(Document.RULE_SET, with(CHANNELS, "'closed':'blue'", "'closed':'green'")),
                accepted(
                        Document.RULE_SET,
                        with(CHANNELS, "'bluePercent':0,'closed':'blue'", "'bluePercent':100,'closed':'green'")),
                accepted(Document.RULE_SET, with(CHANNELS, "'bluePercent':0,'closed':'blue'", "'bluePercent':33.33")),
                refused(Document.RULE_SET, with(CHANNELS, "'bluePercent':0,", "")),
                refused(Document.RULE_SET, with(CHANNELS, "'bluePercent':0", "'bluePercent':null")),
                refused(Document.RULE_SET, with(CHANNELS, "'release':'r'", "'release':'nul'")),
                refused(Document.RULE_SET, with(CHANNELS, "'version':'v2'", "'version':'stable'")),
                refused(Document.RULE_SET, with(CHANNELS, "'services':['a','b']", "'services':['a','a']")),
                refused(Document.RULE_SET, with(CHANNELS, "'step':3", "'step':-1")),
                accepted(Document.RULE_SET, with(CHANNELS, ",'overdueAfter':'1s'", "")),
                refused(Document.RULE_SET, with(CHANNELS, "a@10.0.0.1:80", "a b")),
                refused(Document.RULE_SET, with(CHANNELS, "'id':'trade'", "'id':'Trade'")),
                refused(Document.RULE_SET, with(CHANNELS, "'slowerThan':'300ms',", "")),
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
                accepted(
                        Document.RELEASE, withPlan("{'stages':[{'percent':100,'hold':'0s','samples':5}],'bake':'1h'}")),
                accepted(Document.RELEASE, withPlan("{'hold':'1m','bake':'1h','pace':'evidence'}")),
                accepted(Document.RELEASE, withPlan("{'hold':'1m','requestsPerSecond':100}")),
                accepted(Document.RELEASE, withPlan("{'template':'canary'}")),
                accepted(Document.RELEASE, withPlan("{'template':'canary','hold':'1m','bake':'1h','samples':7}")),
                accepted(
                        Document.RELEASE,
                        with(
                                withPlan("{'template':'four-phases','internal':'1h','cycle':'2d','hold':'20m',"
                                        + "'bake':'2h','pace':'time'}"),
                                "'why':'w'",
                                "'allow':['u']")),
                accepted(Document.RELEASE, withPlan("{'template':'fixed','step':'12.5%','hold':'1m'}")),
                accepted(Document.RELEASE, withPlan("{'template':'fixed','step':20}")),
                accepted(Document.RELEASE, withPlan("{'template':'exponential','first':'1%','factor':3}")),
                refused(Document.RELEASE, withPlan("{}")),
                refused(Document.RELEASE, withPlan("{'bake':'1h'}")),
                refused(Document.RELEASE, withPlan("{'template':'linear'}")),
                refused(Document.RELEASE, withPlan("{'template':7}")),
                refused(Document.RELEASE, withPlan("{'template':'canary','step':'10%'}")),
                refused(Document.RELEASE, withPlan("{'template':'canary','stages':[{'percent':100,'hold':'0s'}]}")),
                refused(Document.RELEASE, withPlan("{'template':'fixed','first':'1%'}")),
                refused(Document.RELEASE, withPlan("{'template':'fixed','step':'101%'}")),
                refused(Document.RELEASE, withPlan("{'template':'exponential','factor':1}")),
                refused(Document.RELEASE, withPlan("{'template':'exponential','factor':'2'}")),
                refused(Document.RELEASE, withPlan("{'hold':'1m','pace':'fast'}")),
                refused(Document.RELEASE, withPlan("{'hold':'1m','requestsPerSecond':10000001}")),
                refused(Document.RELEASE, withPlan("{'hold':'1m','requestsPerSecond':0}")),
                refused(Document.RELEASE, withPlan("{'hold':'1m','requestsPerSecond':-1}")),
                accepted(Document.RELEASE, withGuard("'window':'10m'")),
                accepted(Document.RELEASE, withGuard("'baseline':'off'")),
                accepted(Document.RELEASE, withGuard("'baseline':{}")),
                accepted(Document.RELEASE, withGuard("'baseline':{'alpha':'0.5%','critical':['slower_p99','slow']}")),
                accepted(Document.RELEASE, withGuard("'baseline':{'alpha':0.000001,'critical':[]}")),
                accepted(Document.RELEASE, withGuard("'baseline':{'alpha':0.5}")),
                accepted(Document.RELEASE, withGuard("'baseline':{'objective':'300ms'}")),
                refused(Document.RELEASE, withGuard("'baseline':{'objective':300}")),
                refused(Document.RELEASE, withGuard("'baseline':'on'")),
                refused(Document.RELEASE, withGuard("'baseline':true")),
                refused(Document.RELEASE, withGuard("'baseline':{'alpha':0}")),
                refused(Document.RELEASE, withGuard("'baseline':{'alpha':1}")),
                refused(Document.RELEASE, withGuard("'baseline':{'alpha':'0%'}")),
                refused(Document.RELEASE, withGuard("'baseline':{'alpha':'0.0'}")),
                refused(Document.RELEASE, withGuard("'baseline':{'alpha':'NaN'}")),
                refused(Document.RELEASE, withGuard("'baseline':{'critical':['latency']}")),
                refused(Document.RELEASE, withGuard("'baseline':{'critical':['slow','slow']}")),
                accepted(Document.RELEASE, withGuard("'metrics':[]")),
                accepted(Document.RELEASE, withGuard("'metrics':[" + LIMIT + "," + COUNTERS + "]")),
                refused(Document.RELEASE, withGuard("'metrics':[{'name':'a','query':'up'}]")),
                refused(Document.RELEASE, withGuard("'metrics':[{'name':'a','query':'up','max':'5'}]")),
                refused(Document.RELEASE, withGuard("'metrics':[{'name':'A','query':'up','max':5}]")),
                refused(Document.RELEASE, withGuard("'metrics':[{'name':'a','query':' ','max':5}]")),
                refused(Document.RELEASE, withGuard("'metrics':[{'name':'a','query':'up','max':5,'total':'x'}]")),
                refused(Document.RELEASE, withGuard("'metrics':[{'name':'a','critical':1,'query':'up','max':5}]")),
                refused(Document.RELEASE, withGuard("'metrics':[{'name':'a','bad':'up','total':'{{lane}}'}]")),
                refused(Document.RELEASE, withGuard("'metrics':[{'name':'a'}]")),
                accepted(
                        Document.RELEASE,
                        withGuard("'onBreach':'step-back','mostStepBacks':10,'holdLimit':'2h','onHold':'wait'")),
                refused(Document.RELEASE, withGuard("'onBreach':'stepBack'")),
                refused(Document.RELEASE, withGuard("'mostStepBacks':0")),
                refused(Document.RELEASE, withGuard("'mostStepBacks':11")),
                refused(Document.RELEASE, withGuard("'onHold':'promote'")),
                refused(Document.RELEASE, with(RELEASE, "'why':'w'", "'why':'" + "w".repeat(501) + "'")),
                accepted(Document.RELEASE, with(RELEASE, "'why':'w'", "'strategy':'canary'")),
                refused(Document.RELEASE, with(RELEASE, "'why':'w'", "'strategy':'rolling'")),
                accepted(Document.CHANNEL_RELEASE, BLUE_GREEN),
                accepted(Document.CHANNEL_RELEASE, ROLLING),
                accepted(
                        Document.CHANNEL_RELEASE,
                        "{'strategy':'blue-green','id':'r','channel':'trade','version':'v2',"
                                + "'guard':{'minSamples':1,'maxErrorRate':0,'maxP99':'1ms'}}"),
                refused(Document.CHANNEL_RELEASE, "{}"),
                accepted(Document.CHANNEL_RELEASE, GUARDED),
                refused(Document.CHANNEL_RELEASE, with(GUARDED, "'minSamples':1,", "")),
                refused(Document.CHANNEL_RELEASE, with(GUARDED, "'pause'", "'step-back'")),
                refused(Document.CHANNEL_RELEASE, with(GUARDED, "'window':'1m'", "'baseline':'off'")),
                refused(Document.CHANNEL_RELEASE, with(GUARDED, "'window':'1m'", "'metrics':[]")),
                accepted(Document.RULE_SET, RENEWED),
                accepted(Document.RULE_SET, with(RENEWED, ",'overdueAfter':'1s'", "")),
                refused(Document.RULE_SET, with(RENEWED, "'step':3,", "")),
                refused(Document.RULE_SET, with(RENEWED, "'version':'v2'", "'version':'stable'")),
                refused(
                        Document.RULE_SET,
                        with(
                                CHANNELS,
                                "'flow':{",
                                "'renewal':{'release':'x','version':'v2','step':1,'slowerThan':'1s'},'flow':{")),
                refused(Document.CHANNEL_RELEASE, with(ROLLING, "'rolling'", "'recreate'")),
                refused(Document.CHANNEL_RELEASE, with(ROLLING, "'rolling'", "'canary'")),
                refused(Document.CHANNEL_RELEASE, with(ROLLING, "'rolling'", "'blue-green'")),
                refused(Document.CHANNEL_RELEASE, with(ROLLING, "'rolling'", "7")),
                refused(Document.CHANNEL_RELEASE, with(ROLLING, "'batches':4", "'batches':0")),
                refused(Document.CHANNEL_RELEASE, with(ROLLING, "'batches':4", "'batches':101")),
                refused(Document.CHANNEL_RELEASE, with(ROLLING, "'batches':4,", "")),
                refused(Document.CHANNEL_RELEASE, with(ROLLING, "'channel':'trade'", "'channel':'Trade'")),
                refused(Document.CHANNEL_RELEASE, with(ROLLING, "'channel':'trade'", "'services':['order']")),
                refused(Document.CHANNEL_RELEASE, with(ROLLING, "'version':'v2'", "'version':'stable'")),
                refused(Document.CHANNEL_RELEASE, with(BLUE_GREEN, "{'percent':50,'hold':'0s'}", "{'x':1}")),
                refused(Document.CHANNEL_RELEASE, with(BLUE_GREEN, "'percent':50", "'percent':101")),
                refused(Document.CHANNEL_RELEASE, with(BLUE_GREEN, "'percent':50", "'percent':-1")),
                refused(Document.CHANNEL_RELEASE, with(BLUE_GREEN, "'http://127", "'ftp://127")),
                refused(Document.CHANNEL_RELEASE, with(BLUE_GREEN, "'http://127", "'http://user@127")),
                refused(Document.CHANNEL_RELEASE, with(BLUE_GREEN, "'order':1", "'order':0")),
                refused(Document.CHANNEL_RELEASE, with(BLUE_GREEN, "'order':1", "'or der':1")),
                accepted(Document.CHANNEL_RELEASE, with(BLUE_GREEN, "{'order':1}", "{}")),
                refused(Document.CHANNEL_RELEASE, with(BLUE_GREEN, "'grace':'5s'", "'grace':5")),
                refused(Document.CHANNEL_RELEASE, with(BLUE_GREEN, "'maxP99':'300ms'", "'maxP99':300")),
                accepted(
                        Document.CHANNEL_RELEASE,
                        with(BLUE_GREEN, "'maxP99':'300ms'", "'maxP99':'300ms','metrics':[]")),
                refused(
                        Document.CHANNEL_RELEASE,
                        with(BLUE_GREEN, "'maxP99':'300ms'", "'maxP99':'300ms','metrics':[" + LIMIT + "]")),
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
                Arguments.of(Document.RULE_SET, "/$defs/channel", "'channels':[{", CHANNELS),
                Arguments.of(Document.RULE_SET, "/$defs/flow", "'flow':{", CHANNELS),
                Arguments.of(Document.RULE_SET, "/$defs/renewal", "'renewal':{", RENEWED),
                Arguments.of(Document.RELEASE, "", "{", RELEASE),
                Arguments.of(Document.CHANNEL_RELEASE, "/$defs/blueGreen", "{", BLUE_GREEN),
                Arguments.of(Document.CHANNEL_RELEASE, "/$defs/rolling", "{", ROLLING),
                Arguments.of(Document.CHANNEL_RELEASE, "/$defs/batchGuard", "'guard':{", GUARDED),
                Arguments.of(Document.CHANNEL_RELEASE, "/$defs/waits", "'waits':{", BLUE_GREEN),
                Arguments.of(Document.CHANNEL_RELEASE, "/$defs/guard", "'guard':{", BLUE_GREEN),
                Arguments.of(Document.CHANNEL_RELEASE, "/$defs/stage", "'green':[{", BLUE_GREEN),
                Arguments.of(Document.RELEASE, "/$defs/stagesPlan", "'plan':{", RELEASE),
                Arguments.of(Document.RELEASE, "/$defs/holdPlan", "'plan':{", quoted(withPlan("{'hold':'1m'}"))),
                Arguments.of(Document.RELEASE, "/$defs/canaryPlan", "'plan':{", template("canary")),
                Arguments.of(Document.RELEASE, "/$defs/fourPhasesPlan", "'plan':{", template("four-phases")),
                Arguments.of(Document.RELEASE, "/$defs/fixedPlan", "'plan':{", template("fixed")),
                Arguments.of(Document.RELEASE, "/$defs/exponentialPlan", "'plan':{", template("exponential")),
                Arguments.of(
                        Document.RELEASE,
                        "/$defs/baseline",
                        "'baseline':{",
                        quoted(withGuard("'baseline':{'alpha':'1%'}"))),
                Arguments.of(
                        Document.RELEASE,
                        "/$defs/limitMetric",
                        "'metrics':[{",
                        quoted(withGuard("'metrics':[" + LIMIT + "]"))),
                Arguments.of(
                        Document.RELEASE,
                        "/$defs/countersMetric",
                        "'metrics':[{",
                        quoted(withGuard("'metrics':[" + COUNTERS + "]"))),
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
        for (String part :
                List.of("plan", "stagesPlan", "fourPhasesPlan", "stage", "baseline", "service", "duration")) {
            assertThat(Document.CHANNEL_RELEASE.tree.at("/$defs/" + part))
                    .as(part)
                    .isEqualTo(Document.RELEASE.tree.at("/$defs/" + part));
        }
    }

    private static Arguments accepted(Document document, String json) {
        return Arguments.of(document, true, json.replace('\'', '"'));
    }

    private static Arguments refused(Document document, String json) {
        return Arguments.of(document, false, json.replace('\'', '"'));
    }

    private static String withPlan(String plan) {
        return with(RELEASE, "{'stages':[{'percent':10,'hold':'1m'},{'percent':100,'hold':'0s'}]}", plan);
    }

    private static String withGuard(String fields) {
        return with(RELEASE, "'maxSilence':'30s'", "'maxSilence':'30s'," + fields);
    }

    private static String template(String name) {
        return quoted(with(withPlan("{'template':'" + name + "'}"), "'why':'w'", "'why':'w','allow':['u']"));
    }

    private static String quoted(String json) {
        return json.replace('\'', '"');
    }

    private static String with(String json, String target, String replacement) {
        String changed = json.replace(target.replace('\'', '"'), replacement.replace('\'', '"'));
        assertThat(changed).as(target).isNotEqualTo(json);
        return changed;
    }
}
