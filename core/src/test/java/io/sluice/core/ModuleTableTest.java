package io.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The table of the Maven modules: which of our own each may use. A module that is listed need not exist yet; one that
 * exists must be listed. Changing the table is a decision, written down in docs/decisions.
 */
class ModuleTableTest {
    private static final String CORE = "sluice-core";
    private static final String WIRE = "sluice-wire";
    private static final String CENTERS = "sluice-config-centers";
    private static final String MIGRATION = "sluice-migration";
    private static final String RETIREMENT = "sluice-migration-maven-plugin";
    private static final String INVENTORY = "sluice-demo-inventory";
    private static final String STARTER = "sluice-spring-cloud-starter";

    /** By folder; {@code *} stands for one level. */
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            Map.entry("testing", Set.of()),
            Map.entry("testing/nacos-server", Set.of()),
            Map.entry("core", Set.of()),
            Map.entry("wire", Set.of(CORE, MIGRATION)),
            Map.entry("config-centers", Set.of(CORE, WIRE)),
            Map.entry("adapters/*", Set.of(CORE, WIRE)),
            Map.entry("adapters/spring-cloud", Set.of(CORE, WIRE, CENTERS)),
            Map.entry("migration", Set.of(CORE)),
            Map.entry("migration/retirement", Set.of()),
            Map.entry("server", Set.of(CORE, WIRE, CENTERS, MIGRATION)),
            Map.entry("cli", Set.of(CORE, WIRE, MIGRATION, RETIREMENT)),
            Map.entry("demo/*", Set.of(STARTER)),
            Map.entry("demo/inventory", Set.of(MIGRATION, WIRE)),
            Map.entry("bench", Set.of(CORE, WIRE, CENTERS, MIGRATION, INVENTORY, "sluice-testing")));

    /** What tests may use besides: the shared test parts, core, and the mark that the retirement check looks for. */
    private static final Set<String> TESTS_MAY_USE = Set.of("sluice-testing", CORE, MIGRATION);

    private static final Path ROOT = root();

    static List<String> modules() throws IOException {
        try (Stream<Path> files = Files.find(ROOT, 3, (path, attributes) -> path.endsWith("pom.xml"))) {
            return files.map(pom -> ROOT.relativize(pom.getParent()).toString().replace('\\', '/'))
                    .filter(folder -> !folder.isEmpty() && !folder.contains("target"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("modules")
    void aModuleUsesWhatTheTableSays(String folder) throws Exception {
        Set<String> allowed = MAY_USE.get(MAY_USE.containsKey(folder) ? folder : folder.replaceFirst("/.*", "/*"));
        assertThat(allowed).as("the line of %s in the table", folder).isNotNull();

        List<Dependency> ours = ownDependencies(ROOT.resolve(folder).resolve("pom.xml"));

        assertThat(ours)
                .filteredOn(use -> !use.inTests)
                .extracting(Dependency::artifact)
                .isSubsetOf(allowed);
        assertThat(ours)
                .filteredOn(use -> use.inTests && !allowed.contains(use.artifact))
                .extracting(Dependency::artifact)
                .isSubsetOf(TESTS_MAY_USE);
    }

    private record Dependency(String artifact, boolean inTests) {}

    private static List<Dependency> ownDependencies(Path pom)
            throws IOException, SAXException, ParserConfigurationException {
        Element project = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getDocumentElement();
        List<Dependency> found = new ArrayList<>();
        for (Element dependencies : children(project, "dependencies")) {
            for (Element dependency : children(dependencies, "dependency")) {
                if (text(dependency, "groupId").equals("io.sluice")) {
                    boolean inTests = text(dependency, "scope").equals("test");
                    found.add(new Dependency(text(dependency, "artifactId"), inTests));
                }
            }
        }
        return found;
    }

    private static String text(Element parent, String name) {
        return children(parent, name).stream()
                .map(Node::getTextContent)
                .map(String::strip)
                .findFirst()
                .orElse("");
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            if (nodes.item(i) instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
