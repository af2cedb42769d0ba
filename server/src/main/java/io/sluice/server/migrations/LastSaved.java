package io.sluice.server.migrations;

import io.sluice.migration.evidence.CountedDay;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What was saved last of each day that a run of a process has told of, so that a report without news costs no write. In
 * memory and bounded: what is not known here is saved again. Safe for all threads.
 */
@Component
class LastSaved {
    /** For so long a run's last watching may be missing on the disk; well below the gap that a day may have. */
    static final Duration UNSAVED_WATCH = Duration.ofSeconds(30);

    private static final int MOST = 10_000;

    // Guarded by this; the one used least lately first.
    private final Map<Key, CountedDay> days = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CountedDay> eldest) {
            return size() > MOST;
        }
    };

    private record Key(String migration, String reporter, LocalDate date) {}

    /** Whether anything was counted since, or watched for longer than may be missing. A day that is over is saved to its end. */
    synchronized boolean isNews(String migration, String reporter, CountedDay day) {
        @Nullable CountedDay saved = days.get(new Key(migration, reporter, day.date()));
        return saved == null
                || !day.counts().equals(saved.counts())
                || !day.from().equals(saved.from())
                || !day.longestGap().equals(saved.longestGap())
                || day.until().isAfter(saved.until().plus(UNSAVED_WATCH))
                || (isOver(day) && !isOver(saved));
    }

    synchronized void saved(String migration, String reporter, CountedDay day) {
        days.merge(
                new Key(migration, reporter, day.date()),
                day,
                (before, now) -> now.until().isBefore(before.until()) ? before : now);
    }

    private static boolean isOver(CountedDay day) {
        return !day.until().atZone(ZoneOffset.UTC).toLocalDate().equals(day.date());
    }
}
