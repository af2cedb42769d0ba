package io.sluice.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An element of HTML or SVG that is being built, written so that it is XML as well. Texts and attributes are escaped where they are written, so that
 * nothing which somebody wrote into a report can become markup. Names of elements and attributes are this program's own.
 */
final class Html {
    private static final Set<String> WITHOUT_END = Set.of("meta");

    /** What a browser does not take as text of an element or would change: controls, and halves of pairs. */
    private static final String UNPRINTABLE = "[\\p{Cc}\\p{Cs}\uFFFE\uFFFF&&[^\\n\\r\\t]]";

    private final String name;
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final List<Object> children = new ArrayList<>();

    private Html(String name) {
        this.name = name;
    }

    static Html of(String name) {
        return new Html(name);
    }

    static Html of(String name, String text) {
        return new Html(name).text(text);
    }

    /** A style sheet of this program's own, whose text HTML takes as it is: nothing in it may end the element. */
    static Html ofStyle(String css) {
        Html style = new Html("style");
        style.children.add(new Verbatim(css));
        return style;
    }

    /** Text that came from outside, kept from turning the direction of the text around it. */
    static Html foreign(String text) {
        return of("bdi", text);
    }

    Html with(String attribute, String value) {
        attributes.put(attribute, value);
        return this;
    }

    /** A coordinate, to a tenth. */
    Html with(String attribute, double value) {
        return with(attribute, Words.coordinate(value));
    }

    Html text(String text) {
        children.add(text);
        return this;
    }

    Html add(Html child) {
        children.add(child);
        return this;
    }

    Html add(List<Html> all) {
        children.addAll(all);
        return this;
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        appendTo(out);
        return out.toString();
    }

    private void appendTo(StringBuilder out) {
        out.append('<').append(name);
        attributes.forEach((attribute, value) -> out.append(' ')
                .append(attribute)
                .append("=\"")
                .append(escaped(value))
                .append('"'));
        if (WITHOUT_END.contains(name)) {
            out.append("/>");
            return;
        }
        out.append('>');
        for (Object child : children) {
            if (child instanceof Html element) {
                element.appendTo(out);
            } else if (child instanceof Verbatim verbatim) {
                out.append(verbatim.text);
            } else {
                out.append(escaped(child.toString()));
            }
        }
        out.append("</").append(name).append('>');
    }

    private static String escaped(String text) {
        return text.replaceAll(UNPRINTABLE, "\uFFFD")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private record Verbatim(String text) {}
}
