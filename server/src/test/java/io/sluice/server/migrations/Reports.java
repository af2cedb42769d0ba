package io.sluice.server.migrations;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.migration.evidence.CountedDay;
import io.sluice.migration.evidence.Counts;
import io.sluice.migration.plan.Side;
import io.sluice.wire.migration.EvidenceReport;
import io.sluice.wire.migration.EvidenceReportJson;
import io.sluice.wire.migration.MoveProgress;
import io.sluice.wire.migration.ReportedDifference;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What processes tell of a migration, for tests. */
public final class Reports {
    private Reports() {}

    public static EvidenceReport of(String reporter, long revision, long version, CountedDay... days) {
        return new EvidenceReport(reporter, revision, version, List.of(days), Optional.empty(), List.of());
    }

    public static EvidenceReport moving(EvidenceReport report, MoveProgress progress) {
        return new EvidenceReport(
                report.reporter(),
                report.planRevision(),
                report.directiveVersion(),
                report.days(),
                Optional.of(progress),
                report.differences());
    }

    public static EvidenceReport differing(EvidenceReport report, List<ReportedDifference> differences) {
        return new EvidenceReport(
                report.reporter(),
                report.planRevision(),
                report.directiveVersion(),
                report.days(),
                report.progress(),
                differences);
    }

    public static MoveProgress progress(long toMove, long moved, long handedBack, long frozen) {
        return new MoveProgress(
                toMove, moved, handedBack, frozen, 250, OptionalLong.of(toMove / 250), MoveProgress.State.MOVING);
    }

    /** A whole day. */
    public static CountedDay day(LocalDate date, Counts counts) {
        Instant start = date.atStartOfDay(ZoneOffset.UTC).toInstant();
        return new CountedDay(date, start, start.plus(Duration.ofDays(1)), Duration.ofSeconds(2), counts);
    }

    /** A part of a day, up to a minute of it. */
    public static CountedDay day(LocalDate date, String from, String until, Counts counts) {
        return new CountedDay(
                date,
                LocalTime.parse(from).atDate(date).toInstant(ZoneOffset.UTC),
                LocalTime.parse(until).atDate(date).toInstant(ZoneOffset.UTC),
                Duration.ofSeconds(2),
                counts);
    }

    public static Counts counts(long newSuccesses, long fallbacks, long checks, long diffs) {
        return new Counts(newSuccesses, 7, fallbacks, checks, diffs, 1, 2, 3);
    }

    public static ReportedDifference difference(String id, String key, Instant at) {
        return new ReportedDifference(id, key, "available", 12, Side.LEGACY, "7", "5", at);
    }

    public static String json(EvidenceReport report) {
        return new String(EvidenceReportJson.write(report), UTF_8);
    }
}
