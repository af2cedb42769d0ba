package io.sluice.server.migrations;

import io.sluice.core.problem.RefusedException;
import io.sluice.migration.evidence.ExitCriteria;
import io.sluice.migration.evidence.Readiness;
import io.sluice.migration.plan.Directive;
import io.sluice.server.audit.Reason;
import io.sluice.server.leadership.Leadership;
import io.sluice.wire.migration.DirectiveJson;
import io.sluice.wire.migration.EvidenceReport;
import io.sluice.wire.migration.EvidenceReportJson;
import io.sluice.wire.migration.EvidenceStatsJson;
import io.sluice.wire.migration.MigrationChange;
import io.sluice.wire.migration.MigrationChangeJson;
import io.sluice.wire.migration.MigrationRequest;
import io.sluice.wire.migration.MigrationRequestJson;
import io.sluice.wire.migration.ReportedDifference;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Migrations, for operators and for the processes that carry them out. */
@RestController
@RequestMapping("/api/v1/migrations")
class MigrationsEndpoint {
    private final Migrations migrations;
    private final Leadership leadership;

    MigrationsEndpoint(Migrations migrations, Leadership leadership) {
        this.migrations = migrations;
        this.leadership = leadership;
    }

    /** Creates a migration, with everything at legacy. */
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.CREATED)
    MigrationView create(@RequestBody byte[] body, Principal who) {
        MigrationRequest request = MigrationRequestJson.readStrict(body);
        Reason.requireOneLine(request.why());
        return migrations.create(request.name(), who.getName(), request.why());
    }

    /** All migrations, the oldest first. */
    @GetMapping
    AllMigrations all() {
        return new AllMigrations(migrations.all());
    }

    @GetMapping("/{name}")
    MigrationView one(@PathVariable String name) {
        return migrations.find(name);
    }

    /** Changes what is wanted: percentage, lists, pace. Processes hear of it with their next report. */
    @Operation(
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            content = @Content(schema = @Schema(implementation = MigrationChange.class))))
    @PostMapping(path = "/{name}", consumes = MediaType.APPLICATION_JSON_VALUE)
    MigrationView change(@PathVariable String name, @RequestBody byte[] body, Principal who) {
        MigrationChange change = MigrationChangeJson.readStrict(body);
        Reason.requireOneLine(change.why());
        return migrations.change(name, change, who.getName());
    }

    /** Begins to observe anew, from today on; the body says why. */
    @PostMapping(path = "/{name}/observe", consumes = MediaType.APPLICATION_JSON_VALUE)
    MigrationView observe(@PathVariable String name, @RequestBody byte[] body, Principal who) {
        MigrationRequest request = MigrationRequestJson.readStrict(body);
        Reason.requireOneLine(request.why());
        if (!request.name().equals(name)) {
            throw new RefusedException("name", request.name(), "must be the name in the address, " + name);
        }
        return migrations.observe(name, who.getName(), request.why());
    }

    /** The evidence, day by day, as {@code sluice migration ready --stats} reads it. */
    @GetMapping(path = "/{name}/evidence", produces = MediaType.APPLICATION_JSON_VALUE)
    byte[] evidence(@PathVariable String name) {
        return EvidenceStatsJson.write(migrations.evidence(name));
    }

    /** Whether the old implementation may go, by criteria of the caller's. */
    @GetMapping("/{name}/readiness")
    ReadinessView readiness(
            @PathVariable String name,
            @RequestParam Optional<Long> minNewSuccesses,
            @RequestParam Optional<Integer> maxFallbackBps,
            @RequestParam Optional<Integer> maxShadowDiffBps,
            @RequestParam Optional<Integer> minDays) {
        ExitCriteria usual = ExitCriteria.DEFAULT;
        Readiness readiness = migrations.readiness(
                name,
                new ExitCriteria(
                        minNewSuccesses.orElse(usual.minNewSuccesses()),
                        maxFallbackBps.orElse(usual.maxFallbackBps()),
                        maxShadowDiffBps.orElse(usual.maxShadowDiffBps()),
                        minDays.orElse(usual.minDays())));
        return new ReadinessView(readiness.isReady(), readiness.unmet(), MigrationView.ConditionView.all(readiness));
    }

    /** Reads that both sides answered differently, the newest first. */
    @GetMapping("/{name}/differences")
    Differences differences(@PathVariable String name, @RequestParam(defaultValue = "100") int most) {
        return new Differences(migrations.differences(name, Math.max(most, 1)).stream()
                .map(DifferenceView::of)
                .toList());
    }

    /** What a process has counted, every two seconds; answers what is wanted, or nothing when it has that already. */
    @Operation(
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            content = @Content(schema = @Schema(implementation = EvidenceReport.class))))
    @PostMapping(
            path = "/{name}/reports",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> take(@PathVariable String name, @RequestBody byte[] body) {
        leadership.requireLeader();
        Optional<Directive> wanted = migrations.take(name, EvidenceReportJson.read(body));
        return wanted.map(directive -> ResponseEntity.ok(DirectiveJson.write(directive)))
                .orElseGet(() -> ResponseEntity.noContent().build());
    }

    record AllMigrations(List<MigrationView> migrations) {}

    record ReadinessView(boolean ready, List<String> unmet, List<MigrationView.ConditionView> conditions) {}

    record Differences(List<DifferenceView> differences) {}

    record DifferenceView(
            String id,
            String key,
            String read,
            long version,
            String authority,
            String authorityValue,
            String otherValue,
            String at) {
        static DifferenceView of(ReportedDifference difference) {
            return new DifferenceView(
                    difference.id(),
                    difference.key(),
                    difference.read(),
                    difference.version(),
                    difference.authority().label(),
                    difference.authorityValue(),
                    difference.otherValue(),
                    difference.at().toString());
        }
    }
}
