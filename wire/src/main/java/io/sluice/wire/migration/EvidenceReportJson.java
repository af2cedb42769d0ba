package io.sluice.wire.migration;

import io.sluice.core.rule.Names;
import io.sluice.migration.evidence.CountedDay;
import io.sluice.migration.evidence.Counts;
import io.sluice.migration.plan.Keys;
import io.sluice.migration.plan.Side;
import io.sluice.wire.Fields;
import io.sluice.wire.JsonText;
import io.sluice.wire.Read;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The body of a report of a router, as it is posted to {@code /api/v1/migrations/{name}/reports}. */
public final class EvidenceReportJson {
    private EvidenceReportJson() {}

    public static byte[] write(EvidenceReport report) {
        ObjectNode out = JsonText.newObject();
        out.put("reporter", report.reporter());
        out.put("planRevision", report.planRevision());
        out.put("directiveVersion", report.directiveVersion());
        ArrayNode days = out.putArray("days");
        report.days().forEach(day -> writeDay(days.addObject(), day));
        report.progress().ifPresent(progress -> writeProgress(out.putObject("progress"), progress));
        ArrayNode differences = out.putArray("differences");
        report.differences().forEach(difference -> writeDifference(differences.addObject(), difference));
        return JsonText.write(out);
    }

    /**
     * Reads a report, perhaps of a newer process: unknown fields are passed over.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static EvidenceReport read(byte[] json) {
        return JsonText.readLenient(json, EvidenceReportJson::readReport);
    }

    private static EvidenceReport readReport(Fields in) {
        Read<String> reporter = in.text("reporter", Names::requireInstance);
        Read<Long> planRevision = in.whole("planRevision", Fields.LARGEST_WHOLE);
        Read<Long> directiveVersion =
                in.optional("directiveVersion", 0L, field -> in.whole(field, Fields.LARGEST_WHOLE));
        Read<List<CountedDay>> days = in.objects("days", EvidenceReportJson::readDay);
        Read<Optional<MoveProgress>> progress = in.optional(
                "progress", Optional.empty(), field -> in.object(field, part -> Optional.of(readProgress(part))));
        Read<List<ReportedDifference>> differences =
                in.optional("differences", List.of(), field -> in.objects(field, EvidenceReportJson::readDifference));
        return in.end(() -> new EvidenceReport(
                reporter.get(),
                planRevision.get(),
                directiveVersion.get(),
                days.get(),
                progress.get(),
                differences.get()));
    }

    private static void writeDay(ObjectNode out, CountedDay day) {
        Counts counts = day.counts();
        out.put("date", day.date().toString())
                .put("from", day.from().toString())
                .put("until", day.until().toString())
                .put("longestGapMillis", roundedUp(day.longestGap()))
                .put("newSuccesses", counts.newSuccesses())
                .put("legacySuccesses", counts.legacySuccesses())
                .put("fallbacks", counts.fallbacks())
                .put("shadowChecks", counts.shadowChecks())
                .put("shadowDiffs", counts.shadowDiffs())
                .put("notCompared", counts.notCompared())
                .put("unknown", counts.unknown())
                .put("behind", counts.behind());
    }

    private static CountedDay readDay(Fields in) {
        Read<LocalDate> date = in.text("date", TimeText::date);
        Read<Instant> from = in.text("from", TimeText::instant);
        Read<Instant> until = in.text("until", TimeText::instant);
        Read<Long> longestGap = in.whole("longestGapMillis", Duration.ofDays(1).toMillis());
        Read<Long> newSuccesses = in.whole("newSuccesses", Fields.LARGEST_WHOLE);
        Read<Long> legacySuccesses = in.whole("legacySuccesses", Fields.LARGEST_WHOLE);
        Read<Long> fallbacks = in.whole("fallbacks", Fields.LARGEST_WHOLE);
        Read<Long> shadowChecks = in.whole("shadowChecks", Fields.LARGEST_WHOLE);
        Read<Long> shadowDiffs = in.whole("shadowDiffs", Fields.LARGEST_WHOLE);
        Read<Long> notCompared = in.whole("notCompared", Fields.LARGEST_WHOLE);
        Read<Long> unknown = in.whole("unknown", Fields.LARGEST_WHOLE);
        Read<Long> behind = in.whole("behind", Fields.LARGEST_WHOLE);
        return in.end(() -> {
            // Both are made before either refuses, so that all contradictions are named.
            Read<Counts> counts = in.whole(() -> new Counts(
                    newSuccesses.get(),
                    legacySuccesses.get(),
                    fallbacks.get(),
                    shadowChecks.get(),
                    shadowDiffs.get(),
                    notCompared.get(),
                    unknown.get(),
                    behind.get()));
            Read<CountedDay> day = in.whole(() -> new CountedDay(
                    date.get(), from.get(), until.get(), Duration.ofMillis(longestGap.get()), counts.or(Counts.NONE)));
            return in.end(day::get);
        });
    }

    private static void writeProgress(ObjectNode out, MoveProgress progress) {
        out.put("toMove", progress.toMove())
                .put("moved", progress.moved())
                .put("handedBack", progress.handedBack())
                .put("frozen", progress.frozen())
                .put("keysPerSecond", progress.keysPerSecond());
        progress.secondsLeft().ifPresent(seconds -> out.put("secondsLeft", seconds));
        out.put("state", progress.state().label());
    }

    private static MoveProgress readProgress(Fields in) {
        Read<Long> toMove = in.whole("toMove", Fields.LARGEST_WHOLE);
        Read<Long> moved = in.whole("moved", Fields.LARGEST_WHOLE);
        Read<Long> handedBack = in.whole("handedBack", Fields.LARGEST_WHOLE);
        Read<Long> frozen = in.whole("frozen", Fields.LARGEST_WHOLE);
        Read<Long> keysPerSecond = in.whole("keysPerSecond", Fields.LARGEST_WHOLE);
        Read<Long> secondsLeft = in.optional("secondsLeft", -1L, field -> in.whole(field, Fields.LARGEST_WHOLE));
        Read<MoveProgress.State> state = in.word("state", MoveProgress.State.values(), MoveProgress.State::label);
        return in.end(() -> new MoveProgress(
                toMove.get(),
                moved.get(),
                handedBack.get(),
                frozen.get(),
                keysPerSecond.get(),
                secondsLeft.get() < 0 ? OptionalLong.empty() : OptionalLong.of(secondsLeft.get()),
                state.get()));
    }

    private static void writeDifference(ObjectNode out, ReportedDifference difference) {
        out.put("id", difference.id())
                .put("key", difference.key())
                .put("read", difference.read())
                .put("version", difference.version())
                .put("authority", difference.authority().label())
                .put("authorityValue", difference.authorityValue())
                .put("otherValue", difference.otherValue())
                .put("at", difference.at().toString());
    }

    private static ReportedDifference readDifference(Fields in) {
        Read<String> id = in.text("id");
        Read<String> key = in.text("key", Keys::require);
        Read<String> read = in.text("read");
        Read<Long> version = in.whole("version", Fields.LARGEST_WHOLE);
        Read<Side> authority = in.word("authority", Side.values(), Side::label);
        Read<String> authorityValue = in.text("authorityValue");
        Read<String> otherValue = in.text("otherValue");
        Read<Instant> at = in.text("at", TimeText::instant);
        return in.end(() -> new ReportedDifference(
                id.get(),
                key.get(),
                read.get(),
                version.get(),
                authority.get(),
                authorityValue.get(),
                otherValue.get(),
                at.get()));
    }

    private static long roundedUp(Duration gap) {
        return gap.plusNanos(999_999).toMillis();
    }
}
