package io.sluice.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** An adapter translates and decides nothing, and its doors know nothing of each other. */
class ArchitectureTest {
    private static final JavaClasses STARTER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sluice.spring");

    @Test
    void doorsKnowNothingOfEachOther() {
        for (String door : new String[] {"gateway", "servlet", "client", "loadbalancer", "registry"}) {
            noClasses()
                    .that()
                    .resideOutsideOfPackage("io.sluice.spring." + door)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.sluice.spring." + door)
                    .check(STARTER);
        }
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.sluice.(**)").should().beFreeOfCycles().check(STARTER);
    }

    @Test
    void nothingIsJudgedHere() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "io\\.sluice\\.core\\.(guard|release)\\..*|.*\\.decision\\.(Split|Weighted|Aborted|Bucketing|BucketHash|Percent)|.*\\.rule\\.(Match|Rule)")
                .check(STARTER);
    }
}
