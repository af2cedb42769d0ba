package io.sluice.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Requirement("C10")
class HtmlReportTest {
    private static final JsonMapper JSON = new JsonMapper();

    @Test
    void theHeadSaysWhatHappenedToWhom() {
        Document page = page(aborted());

        assertThat(text(only(page, "title"))).isEqualTo("Release pricing-2026-10: aborted");
        assertThat(text(only(page, "header")))
                .contains("aborted at 25 % after 33 min 20 s by guard", "errors x5.0 of stable");
        assertThat(text(only(page, "dl")))
                .contains("v2.1.0", "order, payments", "1 % for 10m and 1000 samples → 5 %")
                .contains("at least 30 samples, error rate 2 %, P99 300ms, silence 30s")
                .contains("the whole stage")
                .contains("alpha 1 %, the chance of a false alarm in the whole release; critical: errors, slow")
                .contains("objective 300ms, the limit on P99")
                .contains("heap_mb (shown, at most 800)")
                .contains("step-back, at most 2 times, then abort", "pause after 30m beyond the hold time");
    }

    @Test
    void everyStageHasItsSharesRequestsAndVerdict() {
        List<String> rows = rows(tables(page(aborted())).get(0));

        assertThat(rows)
                .containsExactly(
                        "1 | 5 | 5.02 | 0.02 | 9,000 | 171,000 | 36 | 211 | 25 min | HOLD payments:"
                                + " insufficient_samples",
                        "2 | 25 | 24.92 | 0.08 | 15,000 | 45,000 | 60 | 211 | 8 min 20 s | BREACH order: errors x5.0"
                                + " of stable, evidence 16 million >= 3000 (canary 41/5120, stable 63/15360)");
    }

    @Test
    void everyFindingIsHeldAgainstItsLimit() {
        List<String> rows = rows(tables(page(aborted())).get(2));

        assertThat(rows)
                .contains("order | errors | 556 of 134,274 | 1,567 of 402,661 | 75,600 | 3,000 | critical | BREACH")
                .contains(
                        "order | sample_ratio | 1,267 customers | 3,733 customers | 0.012 | 3,000 | critical | HEALTHY")
                .contains("prometheus | heap_mb |  |  | 612.5 | 800 | shown | HEALTHY");
    }

    @Test
    void metricsOfAReporterAreAlwaysInTheSameOrder() {
        Document page = page("""
                {"stages":[{"percent":5,"verdict":{"findings":[
                  {"reporter":"order","metric":"sample_ratio"},{"reporter":"order","metric":"slower_p90"},
                  {"reporter":"(edges)","metric":"errors"},{"reporter":"prometheus","metric":"b"}]},"evidence":[
                  {"reporter":"order","metric":"errors"},{"reporter":"order","metric":"slower_p99"},
                  {"reporter":"order","metric":"slower_p50"},{"reporter":"prometheus","metric":"a"},
                  {"reporter":"order","metric":"slow"}]}]}
                """);

        assertThat(rows(tables(page).get(1)).stream().map(row -> row.replaceAll(" \\| +\\|.*", "")))
                .containsExactly(
                        "order | errors",
                        "order | slow",
                        "order | slower_p50",
                        "order | slower_p90",
                        "order | slower_p99",
                        "order | sample_ratio",
                        "(edges) | errors",
                        "prometheus | b",
                        "prometheus | a");
    }

    @Test
    void aBreachIsToldOnceInTheJournal() {
        List<Element> tables = tables(page(aborted()));

        assertThat(rows(tables.get(tables.size() - 1)))
                .last()
                .isEqualTo(
                        "2026-10-01 08:43:20 UTC | guard | abort | order: errors x5.0 of stable, evidence 16 million >="
                                + " 3000 (canary 41/5120, stable 63/15360) | aborted 0% | BREACH");
    }

    @Test
    void theTimeBeforeTheFirstTickIsMarked() {
        String report = """
                {"stages":[{"percent":5,"evidence":[{"reporter":"a","metric":"errors","limit":3000,
                 "points":[[%d,0.5],[60,0.4]]}]}]}
                """;

        Element late = byId(page(report.formatted(30)), "stage-1");
        Element atOnce = byId(page(report.formatted(0)), "stage-1");

        assertThat(ofClass(late, "before")).hasSize(1);
        assertThat(words(late, "tick")).contains("no tick yet");
        assertThat(ofClass(atOnce, "before")).isEmpty();
    }

    @Test
    void evidenceIsDrawnWithItsThresholdAReporterAtATime() {
        Element stage = byId(page(aborted()), "stage-2");

        assertThat(elements(stage, "figcaption").stream().map(HtmlReportTest::text))
                .containsExactly("(edges)", "order", "prometheus");
        assertThat(words(stage, "threshold-words")).containsExactly("threshold 3,000", "threshold 3,000", "limit 800");
        Element order = elements(stage, "figure").get(1);
        assertThat(words(order, "label errors critical")).containsExactly("errors");
        assertThat(ofClass(order, "curve errors critical"))
                .singleElement()
                .satisfies(curve -> assertThat(curve.getAttribute("d")).matches("M[0-9. ]+(L[0-9. ]+)+"));
        assertThat(ofClass(order, "title").stream().map(HtmlReportTest::text))
                .containsExactly("Evidence, odds (logarithmic)", "minutes since the stage began");
    }

    @Test
    void theWeightIsDrawnAsStepsWithAVerdictEach() {
        Element chart = elements(only(page(aborted()), "main"), "svg").get(0);

        assertThat(words(chart, "value")).containsExactly("5 %", "25 %");
        assertThat(ofClass(chart, "mark hold")).hasSize(1);
        assertThat(ofClass(chart, "mark breach")).hasSize(1);
        assertThat(ofClass(chart, "pause")).hasSize(1);
        assertThat(words(chart, "title"))
                .containsExactly("Canary's share, % of the customers", "minutes since 2026-10-01 08:10:00 UTC");
    }

    @Test
    void whoWasOnCanaryCanBeComputedAgain() {
        Document page = page(aborted().replace("\"salt\": \"pricing-2026-10\"", "\"salt\": \"it's\""));

        assertThat(text(only(page, "ol")))
                .contains(
                        "12 customers on the allowlist", "Rule testers: 100 %", "{\"uid\":[\"tester-1\",\"tester-2\"]}")
                .contains("the hash fnv1a-mixed of the salt it's");
        List<Element> tables = tables(page);
        assertThat(rows(tables.get(tables.size() - 2)))
                .first()
                .isEqualTo(
                        "5 | 0 – 499 | echo CUSTOMER | sluice split --hash fnv1a-mixed --salt 'it'\\''s' --percent 5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "' onload='alert(1)",
                "</style></title><svg onload=alert(1)>",
                "&lt;script&gt;",
                "]]><!--"
            })
    void whatSomebodyWroteIsShownAsItIsAndDoesNothing(String hostile) {
        String quoted = JSON.writeValueAsString(hostile);
        String report = aborted()
                .replaceAll(
                        "\"(why|actor|outcome|reporter|metric|reason|health|service|version|salt|id|hash)\": \"[^\"]*\"",
                        "\"$1\": " + quoted.replace("\\", "\\\\").replace("$", "\\$"));

        Document page = page(report);

        assertThat(elements(page.getDocumentElement(), "*"))
                .noneMatch(element ->
                        List.of("script", "img", "iframe", "link", "object").contains(element.getTagName()))
                .allSatisfy(element ->
                        assertThat(attributes(element)).noneMatch(name -> name.startsWith("on") || name.equals("src")));
        assertThat(text(only(page, "h1"))).isEqualTo(hostile);
        assertThat(text(only(page, "main"))).doesNotContain("�");
    }

    @Test
    void itAsksForNothingElse() {
        String html = HtmlReport.of(tree(aborted()));

        assertThat(html).doesNotContain("http:", "https:", "url(", "@import", "<script", "<link");
        assertThat(page(aborted())
                        .getElementsByTagName("meta")
                        .item(1)
                        .getAttributes()
                        .getNamedItem("content")
                        .getNodeValue())
                .startsWith("default-src 'none'; style-src 'unsafe-inline'");
        assertThat(elements(page(aborted()).getDocumentElement(), "a"))
                .allSatisfy(link -> assertThat(link.getAttribute("href")).startsWith("#stage-"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "{\"stages\":{},\"journal\":3,\"release\":[]}",
                "{\"release\":{\"id\":null,\"allow\":null,\"rules\":{},\"guard\":{\"baseline\":\"off\"}},\"stages\":[{},null,4]}",
                """
                {"stages":[{"percent":"x","enteredAt":"yesterday","verdict":{"findings":[{}]},"evidence":[{}]},
                 {"percent":5,"enteredAt":"2026-10-01T08:00:00Z","evidence":[{"reporter":"a","metric":"errors","limit":null,
                   "value":null,"points":[[0,null],[null,1],[1,0],"x"]},{"reporter":"b","metric":"slow","limit":1e300,
                   "value":1e300,"points":[[0,0.5],[0,1e300]]}]}],"journal":[{},{"verdict":{}}],"outcome":"running"}
                """
            })
    void whatIsMissingStaysEmpty(String report) {
        Document page = page(report);

        assertThat(HtmlReport.of(tree(report))).doesNotContain("NaN", "null", "Infinity");
        assertThat(elements(page.getDocumentElement(), "section")).isNotEmpty();
    }

    @Test
    void evidenceWithoutEndIsDrawnAtTheTopAndSaidInWords() {
        Document page = page("""
                {"stages":[{"percent":5,"enteredAt":"2026-10-01T08:00:00Z","evidence":[{"reporter":"a","metric":"errors",
                 "critical":true,"limit":3000,"canary":9,"canaryBad":9,"stable":9,"stableBad":0,"value":1e300,
                 "points":[[0,0.5],[60,1e300]]}]}]}
                """);

        Element curve = ofClass(byId(page, "stage-1"), "curve errors critical").get(0);
        assertThat(curve.getAttribute("d")).endsWith(" 24");
        assertThat(rows(tables(page).get(1)))
                .containsExactly("a | errors | 9 of 9 | 0 of 9 | > 1,000,000 | 3,000 | critical | ");
    }

    private static String aborted() {
        try (InputStream in = HtmlReportTest.class.getResourceAsStream("aborted.json")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    private static JsonNode tree(String report) {
        return JSON.readTree(report);
    }

    /** Read as XML, which what a browser forgives is not. */
    private static Document page(String report) {
        String html = HtmlReport.of(tree(report));
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(html)));
        } catch (Exception malformed) {
            throw new AssertionError("not well-formed", malformed);
        }
    }

    private static List<Element> elements(Element in, String name) {
        var found = in.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    private static Element only(Document page, String name) {
        return elements(page.getDocumentElement(), name).get(0);
    }

    private static Element byId(Document page, String id) {
        return elements(page.getDocumentElement(), "*").stream()
                .filter(element -> element.getAttribute("id").equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static List<Element> ofClass(Element in, String kind) {
        return elements(in, "*").stream()
                .filter(element -> element.getAttribute("class").equals(kind))
                .toList();
    }

    private static List<String> words(Element in, String kind) {
        return ofClass(in, kind).stream().map(HtmlReportTest::text).toList();
    }

    private static List<Element> tables(Document page) {
        return elements(page.getDocumentElement(), "table");
    }

    private static List<String> rows(Element table) {
        return elements((Element) table.getElementsByTagName("tbody").item(0), "tr").stream()
                .map(row -> String.join(
                        " | ",
                        elements(row, "td").stream().map(HtmlReportTest::text).toList()))
                .toList();
    }

    private static List<String> attributes(Element element) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < element.getAttributes().getLength(); i++) {
            names.add(element.getAttributes().item(i).getNodeName());
        }
        return names;
    }

    private static String text(Element element) {
        return element.getTextContent();
    }
}
