package io.sluice.cli.rules;

import io.sluice.core.identity.RequestView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request put together on the command line. Read as a real one: a header given twice has no value. */
final class GivenRequest implements RequestView {
    private final Map<String, List<String>> headers = new TreeMap<>();

    /** @param cookies pairs {@code name=value}, which go into one header */
    GivenRequest(List<Pair> headers, List<String> cookies) {
        headers.forEach(header -> add(header.name(), header.value()));
        if (!cookies.isEmpty()) {
            add("cookie", String.join("; ", cookies));
        }
    }

    @Override
    public @Nullable String header(String name) {
        List<String> values = headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
        return values.size() == 1 ? values.get(0) : null;
    }

    private void add(String name, String value) {
        headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), ignored -> new ArrayList<>())
                .add(value);
    }

    /** A header's name and value. */
    record Pair(String name, String value) {}
}
