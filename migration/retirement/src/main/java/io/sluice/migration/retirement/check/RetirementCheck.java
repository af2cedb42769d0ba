package io.sluice.migration.retirement.check;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a build has to be told about its marks on one day.
 *
 * @param problems why it fails: what is still there after its last day, and marks that can't be understood; empty if it
 *     may pass
 * @param warnings what has to go soon
 */
public record RetirementCheck(List<String> problems, List<String> warnings) {
    public RetirementCheck {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /**
     * Holds marks against a day.
     *
     * @param today in UTC
     * @param warnDays for how many days before its last one, and on it, a mark is warned of
     */
    public static RetirementCheck on(LocalDate today, int warnDays, Marks marks) {
        List<String> problems = new ArrayList<>();
        marks.unreadable().forEach(bad -> problems.add(bad.toString()));
        List<String> warnings = new ArrayList<>();
        for (Mark mark : marks.all()) {
            long over = mark.daysOver(today);
            if (over > 0) {
                problems.add(line(mark) + " had to be deleted by " + mark.lastDay() + ", " + days(over) + " ago");
            } else if (-over <= warnDays) {
                warnings.add(line(mark) + " has to be deleted by " + mark.lastDay() + ", "
                        + (over == 0 ? "today" : "in " + days(-over)));
            }
        }
        return new RetirementCheck(problems, warnings);
    }

    public boolean passes() {
        return problems.isEmpty();
    }

    private static String line(Mark mark) {
        return String.format(Locale.ROOT, "%s (%s of %s)", mark.place(), mark.part(), mark.migration());
    }

    private static String days(long count) {
        return count == 1 ? "1 day" : count + " days";
    }
}
