package io.sluice.migration;

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

/** The table of migration's packages: what each may use. Changing it is a decision, written down in docs/decisions. */
class ArchitectureTest {
    private static final Map<String, Set<String>> MAY_USE = Map.of(
            "plan", Set.of(),
            "branch", Set.of("plan"),
            "owner", Set.of("plan", "branch"),
            "evidence", Set.of("plan"),
            "move", Set.of("plan", "branch", "owner", "evidence"),
            "shadow", Set.of("plan", "branch", "owner", "evidence"),
            "routing", Set.of("plan", "branch", "owner", "move", "evidence", "shadow"),
            "ledger", Set.of("plan", "owner"),
            "retirement", Set.of(),
            "kit", Set.of("plan", "branch", "owner", "evidence", "move", "shadow", "routing", "ledger"));

    /** Of core, and libraries, beyond the JDK. */
    private static final String[] ALL_MAY_USE = {
        "java..", "org.jspecify.annotations", "org.slf4j", "io.sluice.core.problem", "io.sluice.core.decision"
    };

    private static final Map<String, Set<String>> LIBRARIES = Map.of(
            "plan", Set.of("javax.sql"),
            "owner", Set.of("javax.sql"),
            "ledger", Set.of("javax.sql"),
            "shadow", Set.of("io.github.resilience4j.circuitbreaker..", "io.github.resilience4j.core.."));

    private static final JavaClasses MIGRATION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sluice.migration");

    static Set<String> packages() {
        return MAY_USE.keySet();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("packages")
    void aPackageUsesWhatTheTableSaysAndTheJdk(String name) {
        Stream<String> own =
                Stream.concat(Stream.of(name), MAY_USE.get(name).stream()).map(each -> packageName(each) + "..");
        Stream<String> others = Stream.concat(LIBRARIES.getOrDefault(name, Set.of()).stream(), Stream.of(ALL_MAY_USE));

        classes()
                .that()
                .resideInAPackage(packageName(name) + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(Stream.concat(own, others).toArray(String[]::new))
                .allowEmptyShould(true)
                .check(MIGRATION);
    }

    @Test
    void everyPackageStandsInTheTableAndIsNullMarked() {
        List<JavaPackage> packages = MIGRATION.getPackage("io.sluice.migration").getSubpackagesInTree().stream()
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
        slices().matching("io.sluice.migration.(*)..").should().beFreeOfCycles().check(MIGRATION);
    }

    private static String packageName(String name) {
        return "io.sluice.migration." + name;
    }
}
