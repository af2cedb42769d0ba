package io.sluice.cli.migration;

import io.sluice.migration.retirement.check.Mark;
import io.sluice.migration.retirement.check.Mark.Element;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where marks stand in source files. A file is found by its package and name; the line is the first of a {@code @Retire}
 * that is followed by what it marks, as far as that can be told without a compiler. Used by one thread.
 */
final class Sources {
    private static final Pattern ANNOTATION =
            Pattern.compile("@(?:[a-z.]+\\.)?Retire\\s*\\((?:[^()\"]|\"(?:[^\"\\\\]|\\\\.)*\")*\\)");

    private final List<Path> files;
    private final Map<Path, String> texts = new HashMap<>();
    private final Set<String> taken = new HashSet<>();

    /** Files below a directory, those of builds left out. */
    Sources(Path directory) throws IOException {
        try (Stream<Path> below = Files.walk(directory)) {
            files = below.filter(file -> isSource(directory.relativize(file)) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isSource(Path file) {
        String name = "/" + file.toString().replace('\\', '/');
        return name.matches(".*\\.(java|kt|groovy|scala)") && !name.contains("/target/") && !name.contains("/build/");
    }

    /** Like {@code src/main/java/shop/Old.java:12}, the line left out if it was not found; empty without such a file. */
    Optional<String> placeOf(Mark mark) throws IOException {
        Optional<Path> file = fileOf(mark);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        String text = text(file.get());
        Pattern marked = Pattern.compile(declaration(mark));
        Matcher annotation = ANNOTATION.matcher(text);
        while (annotation.find()) {
            String id = file.get() + ":" + annotation.start();
            if (!taken.contains(id)
                    && marked.matcher(text)
                            .region(annotation.end(), text.length())
                            .lookingAt()) {
                taken.add(id);
                return Optional.of(file.get() + ":" + line(text, annotation.start()));
            }
        }
        return Optional.of(file.get().toString());
    }

    private Optional<Path> fileOf(Mark mark) {
        boolean isPackage = mark.element() == Element.PACKAGE;
        String packageName = isPackage
                ? mark.typeName()
                : mark.typeName().substring(0, Math.max(0, mark.typeName().lastIndexOf('.')));
        String name = isPackage ? "package-info.java" : mark.sourceFile();
        Path end = Path.of(packageName.replace('.', '/'), name);
        return name.isEmpty()
                ? Optional.empty()
                : files.stream().filter(file -> file.endsWith(end)).findFirst();
    }

    private String text(Path file) throws IOException {
        if (!texts.containsKey(file)) {
            texts.put(file, new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        }
        return texts.getOrDefault(file, "");
    }

    /** What follows the annotation of this mark: anything before a body or an end, and its name where it must be. */
    private static String declaration(Mark mark) {
        String simple = Pattern.quote(mark.typeName().replaceFirst("^.*[.$]", ""));
        // Other annotations may have braces and semicolons only within their brackets.
        String before = "(?:[^{};=()]|\\((?:[^()\"]|\"(?:[^\"\\\\]|\\\\.)*\")*\\))*?\\b";
        return switch (mark.element()) {
            case PACKAGE -> "\\s*(?:@[^;]*)?package\\b";
            case CLASS -> before + "(?:class|interface|enum|record|object)\\s+" + simple + "\\b";
            case FIELD -> before + Pattern.quote(mark.member()) + "\\s*[=;,({]";
            case CONSTRUCTOR -> before + simple + "\\s*\\(";
            case METHOD -> before + Pattern.quote(mark.member()) + "\\s*\\(";
        };
    }

    private static long line(String text, int at) {
        return text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
    }
}
