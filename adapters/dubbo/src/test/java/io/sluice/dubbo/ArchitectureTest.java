package io.sluice.dubbo;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** An adapter translates and decides nothing. */
class ArchitectureTest {
    private static final JavaClasses ADAPTER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sluice.dubbo");

    @Test
    void nothingIsJudgedHere() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "io\\.sluice\\.core\\.(guard|release|channel)\\..*|.*\\.decision\\.(Split|Weighted|Aborted|Bucketing|BucketHash)|.*\\.rule\\.(Match|Rule)")
                .check(ADAPTER);
    }

    @Test
    void itNeedsNothingButCoreAndDubbo() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "java..", "io.sluice.core..", "io.sluice.dubbo", "org.apache.dubbo..", "org.jspecify..")
                .check(ADAPTER);
    }
}
