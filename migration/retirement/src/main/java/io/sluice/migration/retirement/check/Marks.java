package io.sluice.migration.retirement.check;

import java.util.List;

/**
 * What was found in some class files.
 *
 * @param all every mark, in deletion order
 * @param unreadable marks that can't be understood, each with its place, what stood there and what may stand there
 * @param classFiles how many class files were read; 0 says that they are somewhere else
 */
public record Marks(List<Mark> all, List<String> unreadable, int classFiles) {
    public Marks {
        all = all.stream().sorted(Mark.DELETION_ORDER).toList();
        unreadable = List.copyOf(unreadable);
    }

    /** Those of one migration; what can't be understood stays, since it may be one of them. */
    public Marks of(String migration) {
        return new Marks(
                all.stream().filter(mark -> mark.migration().equals(migration)).toList(), unreadable, classFiles);
    }
}
