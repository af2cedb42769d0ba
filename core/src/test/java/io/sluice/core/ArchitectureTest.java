package io.sluice.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of core's packages: what each may use. Changing it is a decision, written down in docs/decisions. */
class ArchitectureTest {
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            Map.entry("problem", Set.of()),
            Map.entry("identity", Set.of("problem")),
            Map.entry("decision", Set.of("problem", "identity")),
            Map.entry("tag", Set.of("problem", "identity")),
            Map.entry("rule", Set.of("problem", "identity", "decision", "tag")),
            Map.entry("propagation", Set.of("problem", "tag")),
            Map.entry("routing", Set.of("problem", "decision", "tag")),
            Map.entry("observation", Set.of("problem", "decision", "tag", "rule")),
            Map.entry("guard", Set.of("problem", "decision", "observation")),
            Map.entry("simulation", Set.of("problem", "decision", "observation", "guard")),
            Map.entry("release", Set.of("problem", "identity", "decision", "tag", "rule", "observation", "guard")),
            Map.entry("channel", Set.of("problem", "decision", "tag", "rule", "observation", "guard", "release")));

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sluice.core");

    static Set<String> packages() {
        return MAY_USE.keySet();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("packages")
    void aPackageUsesWhatTheTableSaysAndTheJdk(String name) {
        String[] allowed = Stream.of(Stream.of(name), MAY_USE.get(name).stream())
                .flatMap(names -> names)
                .map(ArchitectureTest::packageName)
                .toArray(String[]::new);

        classes()
                .that()
                .resideInAPackage(packageName(name))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(Stream.concat(Stream.of(allowed), Stream.of("java..", "org.jspecify.annotations"))
                        .toArray(String[]::new))
                .check(CORE);
    }

    @Test
    void everyPackageStandsInTheTableAndIsNullMarked() {
        List<JavaPackage> packages = CORE.getPackage("io.sluice.core").getSubpackagesInTree().stream()
                .filter(each -> !each.getClasses().isEmpty())
                .toList();

        assertThat(packages)
                .extracting(JavaPackage::getName)
                .containsExactlyInAnyOrderElementsOf(
                        packages().stream().map(ArchitectureTest::packageName).toList());
        assertThat(packages)
                .allSatisfy(each -> assertThat(each.isAnnotatedWith(NullMarked.class))
                        .as(each.getName())
                        .isTrue());
    }

    @Test
    void noPackageUsesItselfThroughAnother() {
        slices().matching("io.sluice.core.(*)..").should().beFreeOfCycles().check(CORE);
    }

    private static String packageName(String name) {
        return "io.sluice.core." + name;
    }
}
