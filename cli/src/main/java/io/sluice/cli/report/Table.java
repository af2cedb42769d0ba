package io.sluice.cli.report;

import java.util.ArrayList;
import java.util.List;

/** A table of HTML that scrolls by itself where the page is too narrow for it. */
final class Table {
    private final List<String> kinds = new ArrayList<>();
    private final Html heads = Html.of("tr");
    private final Html rows = Html.of("tbody");

    /** Another column, of words. */
    Table head(String title) {
        return column(title, "words");
    }

    /** Another column, of numbers. */
    Table number(String title) {
        return column(title, "number");
    }

    private Table column(String title, String kind) {
        kinds.add(kind);
        heads.add(Html.of("th", title).with("scope", "col").with("class", kind));
        return this;
    }

    /** Another row, with a cell for each column. */
    void row(Html... cells) {
        Html row = Html.of("tr");
        for (int i = 0; i < cells.length; i++) {
            row.add(Html.of("td").with("class", kinds.get(i)).add(cells[i]));
        }
        rows.add(row);
    }

    Html html() {
        Html table = Html.of("table").add(Html.of("thead").add(heads)).add(rows);
        return Html.of("div").with("class", "scroll").add(table);
    }
}
