package io.sluice.migration.retirement.check;

import java.util.List;

/**
 * What was found in some class files.
 *
 * @param all every mark, in deletion order
 * @param unreadable marks whose day can't be understood
 * @param classFiles how many class files were read; 0 says that they are somewhere else
 */
public record Marks(List<Mark> all, List<Unreadable> unreadable, int classFiles) {
    /**
     * A mark without a day.
     *
     * @param place where it is
     * @param after what stood there for a day
     */
    public record Unreadable(String place, String after) {
        /** What may stand there. */
        public static final String ALLOWED = "must be a day like 2027-03-31";

        @Override
        public String toString() {
            return place + " @Retire(after) was " + after + ", but " + ALLOWED;
        }
    }

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
