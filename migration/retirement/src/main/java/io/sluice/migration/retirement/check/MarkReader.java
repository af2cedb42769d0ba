package io.sluice.migration.retirement.check;

import io.sluice.migration.retirement.check.Mark.Element;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Reads what carries {@code @Retire} from class files; loads none of them. Jars within a jar are not opened. Used by one
 * thread, for one answer.
 */
public final class MarkReader {
    /** The annotation, as class files name it. */
    static final String ANNOTATION = "Lio/sluice/migration/retirement/Retire;";

    /** What {@code Retire.part()} is where it was not given: class files don't say. */
    static final String DEFAULT_PART = "old branch";

    private final List<Mark> found = new ArrayList<>();
    private final List<Marks.Unreadable> unreadable = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private int classFiles;

    private MarkReader() {}

    /**
     * Every mark in these directories (with all below them) and jars.
     *
     * @throws IOException when one of them can't be read, or holds a class file that can't be; the message names it
     */
    public static Marks read(Collection<Path> directoriesAndJars) throws IOException {
        MarkReader reader = new MarkReader();
        for (Path each : directoriesAndJars) {
            if (Files.isDirectory(each)) {
                reader.readDirectory(each);
            } else {
                reader.readJar(each);
            }
        }
        return new Marks(reader.found, reader.unreadable, reader.classFiles);
    }

    private void readDirectory(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> below = Files.walk(directory)) {
            files = below.filter(file -> isClass(file.toString()) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            readClass(Files.readAllBytes(file), file.toString());
        }
    }

    private void readJar(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (isClass(entry.getName())) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        readClass(in.readAllBytes(), jar + "!/" + entry.getName());
                    }
                }
            }
        } catch (IOException notAJar) {
            throw new IOException(
                    jar + " is neither a directory nor a jar that can be read: " + notAJar.getMessage(), notAJar);
        }
    }

    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.endsWith("module-info.class");
    }

    private void readClass(byte[] bytes, String name) throws IOException {
        classFiles++;
        try {
            new ClassReader(bytes).accept(new InClass(), ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
        } catch (RuntimeException notAClass) {
            throw new IOException(name + " is no class file that can be read: " + notAClass.getMessage(), notAClass);
        }
    }

    /** The marks of one class file. */
    private final class InClass extends ClassVisitor {
        private String typeName = "";
        private String sourceFile = "";

        InClass() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String superName,
                String[] interfaces) {
            typeName = Type.getObjectType(name).getClassName();
        }

        @Override
        public void visitSource(@Nullable String source, @Nullable String debug) {
            sourceFile = source == null ? "" : source;
        }

        @Override
        public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            boolean isPackage = typeName.equals("package-info") || typeName.endsWith(".package-info");
            return isPackage
                    ? mark(descriptor, Element.PACKAGE, typeName.replaceFirst("\\.?package-info$", ""), "", "")
                    : mark(descriptor, Element.CLASS, typeName, "", "");
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int access, String name, String descriptor, @Nullable String signature, @Nullable Object value) {
            return new FieldVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return mark(annotation, Element.FIELD, typeName, name, "");
                }
            };
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String descriptor, @Nullable String signature, String[] exceptions) {
            if ((access & Opcodes.ACC_SYNTHETIC) != 0) {
                // The compiler copies annotations to the bridges that it makes.
                return null;
            }
            Element element = name.equals("<init>") ? Element.CONSTRUCTOR : Element.METHOD;
            String parameters = Arrays.stream(Type.getArgumentTypes(descriptor))
                    .map(type -> type.getClassName().replaceFirst("^.*[.$]", ""))
                    .collect(Collectors.joining(", "));
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return mark(annotation, element, typeName, name, parameters);
                }
            };
        }

        private @Nullable AnnotationVisitor mark(
                String annotation, Element element, String type, String member, String parameters) {
            if (!annotation.equals(ANNOTATION)) {
                return null;
            }
            String source = sourceFile;
            Map<String, String> values = new HashMap<>(Map.of("part", DEFAULT_PART));
            return new AnnotationVisitor(Opcodes.ASM9) {
                @Override
                public void visit(String name, Object value) {
                    values.put(name, String.valueOf(value));
                }

                @Override
                public void visitEnd() {
                    add(element, type, member, parameters, source, values);
                }
            };
        }
    }

    private void add(
            Element element, String type, String member, String parameters, String source, Map<String, String> values) {
        String place = Mark.place(element, type, member, parameters);
        if (!seen.add(place + " " + new TreeMap<>(values))) {
            // The same class for several versions of Java in one jar, or a directory and the jar that was made of it.
            // With another day it is another class of that name, which may not hide behind this one.
            return;
        }
        String after = values.getOrDefault("after", "missing");
        LocalDate lastDay;
        try {
            lastDay = LocalDate.parse(after);
        } catch (DateTimeParseException noDay) {
            unreadable.add(new Marks.Unreadable(place, after.isEmpty() ? "empty" : after));
            return;
        }
        found.add(new Mark(
                element,
                type,
                member,
                parameters,
                values.getOrDefault("migration", ""),
                lastDay,
                values.getOrDefault("part", DEFAULT_PART),
                source));
    }
}
