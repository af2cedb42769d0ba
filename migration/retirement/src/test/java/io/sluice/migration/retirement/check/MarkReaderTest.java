package io.sluice.migration.retirement.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.migration.retirement.Retire;
import io.sluice.migration.retirement.check.sample.OldBranch;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.Type;

@Requirement("I10")
class MarkReaderTest {
    private static final String SAMPLE = "io.sluice.migration.retirement.check.sample";

    @TempDir
    Path directory;

    @Test
    void findsEveryKindOfMarkInDeletionOrder() throws IOException {
        Marks marks = MarkReader.read(List.of(sample()));

        assertThat(marks.classFiles()).isEqualTo(5);
        assertThat(marks.all())
                .extracting(mark -> mark.migration() + ": " + mark.part() + ": "
                        + mark.place().replace(SAMPLE, "sample"))
                .containsExactly(
                        "inventory: routing: constructor sample.Wiring()",
                        "inventory: routing: method sample.Wiring.router(String, Entry)",
                        "inventory: shadow reads: field sample.Wiring.SAMPLED_PERCENT",
                        "inventory: adapter: method sample.OldBranch.apply(String)",
                        "inventory: old branch: package sample",
                        "inventory: old branch: class sample.OldBranch",
                        "orders: old branch: class sample.OldBranch$Row");
        assertThat(marks.all())
                .extracting(Mark::lastDay)
                .allSatisfy(day -> assertThat(day.getYear()).isEqualTo(2027));
        assertThat(marks.all().get(5).sourceFile()).isEqualTo("OldBranch.java");
        assertThat(marks.of("orders").all()).hasSize(1);
    }

    @Test
    void aDayThatCannotBeReadIsToldWithItsPlace() throws IOException {
        assertThat(MarkReader.read(List.of(sample())).unreadable())
                .extracting(Marks.Unreadable::toString)
                .containsExactly(
                        "method " + SAMPLE
                                + ".NoDay.never() @Retire(after) was 2027-02-30, but must be a day like 2027-03-31",
                        "method " + SAMPLE
                                + ".NoDay.nothing() @Retire(after) was empty, but must be a day like 2027-03-31");
    }

    @Test
    void aJarIsReadLikeADirectoryAndWhatIsInBothCountsOnce() throws IOException {
        Path jar = jarOf(sample(), "");
        Path forLaterJava = jarOf(sample(), "META-INF/versions/21/");

        Marks marks = MarkReader.read(List.of(jar));

        assertThat(marks).isEqualTo(MarkReader.read(List.of(sample())));
        assertThat(MarkReader.read(List.of(jar, forLaterJava, sample())).all()).isEqualTo(marks.all());
    }

    @Test
    void anOlderVersionOfAClassDoesNotHideBehindTheOneOfNow() throws IOException {
        byte[] now = Files.readAllBytes(sample().resolve("OldBranch.class"));
        String asText = new String(now, StandardCharsets.ISO_8859_1);
        Path older = Files.createDirectory(directory.resolve("older"));
        Files.write(
                older.resolve("OldBranch.class"),
                asText.replace("2027-", "2026-").getBytes(StandardCharsets.ISO_8859_1));

        Marks marks = MarkReader.read(List.of(sample(), older));

        assertThat(marks.all())
                .filteredOn(mark -> mark.place().equals("class " + SAMPLE + ".OldBranch"))
                .extracting(mark -> mark.lastDay().getYear())
                .containsExactlyInAnyOrder(2026, 2027);
    }

    @Test
    void whatIsNoJarAndNoClassFileIsNamed() throws IOException {
        Path text = Files.writeString(directory.resolve("notes.txt"), "a jar?");
        Path classes = Files.createDirectory(directory.resolve("classes"));
        Files.writeString(classes.resolve("Broken.class"), "no class");

        assertThatThrownBy(() -> MarkReader.read(List.of(text)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("notes.txt is neither a directory nor a jar");
        assertThatThrownBy(() -> MarkReader.read(List.of(directory.resolve("missing"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("missing is neither");
        assertThatThrownBy(() -> MarkReader.read(List.of(classes)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Broken.class is no class file");
    }

    @Test
    void knowsTheAnnotationByItsNameAndDefault() throws NoSuchMethodException {
        assertThat(MarkReader.ANNOTATION).isEqualTo(Type.getDescriptor(Retire.class));
        assertThat(MarkReader.DEFAULT_PART)
                .isEqualTo(Retire.class.getMethod("part").getDefaultValue());
    }

    static Path sample() {
        try {
            return Path.of(OldBranch.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolve(SAMPLE.replace('.', '/'));
        } catch (URISyntaxException noPath) {
            throw new IllegalStateException(noPath);
        }
    }

    private Path jarOf(Path classes, String prefix) throws IOException {
        Path jar = Files.createTempFile(directory, "old", ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.list(classes)) {
            for (Path file : files.sorted().toList()) {
                zip.putNextEntry(new ZipEntry(prefix + SAMPLE.replace('.', '/') + "/" + file.getFileName()));
                zip.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }
}
