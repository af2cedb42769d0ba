package io.sluice.migration.evidence;

import java.time.LocalDate;
import java.util.List;

/**
 * The unbroken days at the end.
 *
 * @param days how many
 * @param because what ended them, looking back, and from where it was looked
 */
record Window(int days, String because) {
    /** @param days by date */
    static Window of(List<EvidenceDay> days, LocalDate today) {
        int end = days.size();
        String underWay = "";
        if (end > 0 && isUnderWay(days.get(end - 1), today)) {
            end--;
            underWay = "; " + days.get(end).date() + " is still under way and does not count";
        }
        if (end == 0) {
            return new Window(0, "no day that is over was given" + underWay);
        }
        int length = 0;
        // A day that is under way has a day before it, which may be missing.
        LocalDate next = end < days.size()
                ? days.get(end).date()
                : days.get(end - 1).date().plusDays(1);
        for (int i = end - 1; i >= 0; i--) {
            EvidenceDay day = days.get(i);
            if (!day.date().plusDays(1).equals(next)) {
                return new Window(length, next.minusDays(1) + " is missing" + underWay);
            }
            if (day.date().isAfter(today)) {
                return new Window(length, day.date() + " is still to come" + underWay);
            }
            if (!day.complete()) {
                return new Window(length, day.date() + " was interrupted" + underWay);
            }
            length++;
            next = day.date();
        }
        return new Window(length, "the first day given is " + days.get(0).date() + underWay);
    }

    private static boolean isUnderWay(EvidenceDay last, LocalDate today) {
        return !last.complete() && !last.date().isBefore(today);
    }
}
