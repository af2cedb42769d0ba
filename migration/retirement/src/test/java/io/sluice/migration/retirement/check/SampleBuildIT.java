package io.sluice.migration.retirement.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.migration.retirement.Retire;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's project, built by the Maven that builds Sluice, with the plugin's packaged jar. Nothing is downloaded and
 * nothing is installed for good: our own artifacts lie in a repository of the test, all else in the one that this build
 * has filled.
 */
@Requirement("I10")
class SampleBuildIT {
    private static final Path ROOT = Path.of(System.getProperty("sluice.root"));
    private static final String VERSION = System.getProperty("sluice.version");
    private static final LocalDate TODAY = LocalDate.now(ZoneOffset.UTC);

    @TempDir
    Path directory;

    private Path repository;
    private Path source;

    @BeforeEach
    void writeProjectAndRepository() throws IOException {
        repository = directory.resolve("repository");
        Files.copy(ROOT.resolve("pom.xml"), place("sluice").resolve("sluice-" + VERSION + ".pom"));
        String plugin = "sluice-migration-maven-plugin";
        String name = plugin + "-" + VERSION;
        Path module = ROOT.resolve("migration/retirement");
        Files.copy(module.resolve("pom.xml"), place(plugin).resolve(name + ".pom"));
        Files.copy(module.resolve("target/" + name + ".jar"), place(plugin).resolve(name + ".jar"));
        Path project = Files.createDirectories(project());
        Files.createDirectory(project.resolve(".mvn"));
        Files.writeString(project.resolve("pom.xml"), pom());
        source = project.resolve("src/main/java/shop/OldStock.java");
        Files.createDirectories(source.getParent());
        // The annotation is compiled along, so that the project needs nothing that this build may not have downloaded.
        Path annotation = project.resolve("src/main/java/io/sluice/migration/retirement/Retire.java");
        Files.createDirectories(annotation.getParent());
        Files.copy(
                ROOT.resolve("migration/src/main/java/" + Retire.class.getName().replace('.', '/') + ".java"),
                annotation);
    }

    @Test
    void aBuildFailsWhileWhatHadToGoIsStillThere() throws IOException, InterruptedException {
        mark(TODAY.plusDays(10).toString());
        Build soon = build();
        assertThat(soon.code()).as(soon.log()).isZero();
        assertThat(soon.log())
                .containsPattern("\\[WARNING] class shop.OldStock \\(old branch of inventory\\) has to be deleted by "
                        + TODAY.plusDays(10) + ", in (9|10) days");

        mark(TODAY.minusDays(3).toString());
        Build late = build();
        assertThat(late.code()).as(late.log()).isOne();
        assertThat(late.log())
                .contains("BUILD FAILURE", "A migration is over, and this is still there:")
                .containsPattern("class shop.OldStock \\(old branch of inventory\\) had to be deleted by "
                        + TODAY.minusDays(3) + ", (3|4) days ago");

        Build skipped = build("-Dsluice.retire.skip");
        assertThat(skipped.code()).as(skipped.log()).isZero();
        assertThat(skipped.log()).contains("[WARNING] sluice.retire.skip is set");

        Files.delete(project().resolve("target/classes/shop/OldStock.class"));
        Files.writeString(source, "package shop;\n\nclass NewStock {}\n");
        Build deleted = build();
        assertThat(deleted.code()).as(deleted.log()).isZero();
        assertThat(deleted.log()).contains("0 marks, none after its day");
    }

    private void mark(String after) throws IOException {
        Files.writeString(source, """
                package shop;

                import io.sluice.migration.retirement.Retire;

                @Retire(migration = "inventory", after = "%s")
                public class OldStock {}
                """.formatted(after));
    }

    private record Build(int code, String log) {}

    private Build build(String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-o",
                "-Dmaven.repo.local=" + repository,
                "-Dmaven.repo.local.tail=" + System.getProperty("sluice.repository"),
                // Whichever mirror a file came from, it may be used.
                "-Daether.enhancedLocalRepository.trackingFilename=untracked",
                "verify"));
        command.addAll(List.of(more));
        Path log = directory.resolve("build.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // What the outer build was told is not meant for this one; where it downloads from does not matter offline.
        builder.environment().remove("MAVEN_ARGS");
        builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        Process maven = builder.start();
        try {
            assertThat(maven.waitFor(5, TimeUnit.MINUTES)).as("Maven has ended").isTrue();
            return new Build(maven.exitValue(), Files.readString(log));
        } finally {
            maven.descendants().forEach(ProcessHandle::destroyForcibly);
            maven.destroyForcibly();
        }
    }

    private Path project() {
        return directory.resolve("project");
    }

    /** As Maven lays it out; what was put there by hand is taken as installed. */
    private Path place(String artifact) throws IOException {
        return Files.createDirectories(repository.resolve("io/sluice/" + artifact + "/" + VERSION));
    }

    /** With the versions that this build uses, since no others may be there without a network. */
    private static String pom() throws IOException {
        String ours = Files.readString(ROOT.resolve("pom.xml"));
        StringBuilder plugins = new StringBuilder();
        for (String plugin : List.of("resources", "compiler", "surefire", "jar")) {
            Matcher version = Pattern.compile(
                            "<artifactId>maven-" + plugin + "-plugin</artifactId>\\s*<version>([^<]+)")
                    .matcher(ours);
            assertThat(version.find()).as(plugin).isTrue();
            plugins.append("<plugin><artifactId>maven-%s-plugin</artifactId><version>%s</version></plugin>\n"
                    .formatted(plugin, version.group(1)));
        }
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>shop</groupId>
                  <artifactId>stock</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>17</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  <build>
                    <plugins>
                      %s
                      <plugin>
                        <groupId>io.sluice</groupId>
                        <artifactId>sluice-migration-maven-plugin</artifactId>
                        <version>%s</version>
                        <executions>
                          <execution>
                            <goals>
                              <goal>check</goal>
                            </goals>
                          </execution>
                        </executions>
                      </plugin>
                    </plugins>
                  </build>
                </project>
                """.formatted(plugins, VERSION);
    }
}
