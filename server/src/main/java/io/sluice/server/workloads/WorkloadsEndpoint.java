package io.sluice.server.workloads;

import io.sluice.core.channel.Workload;
import io.sluice.core.problem.Problem;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.Color;
import io.sluice.server.audit.Journal;
import io.sluice.server.leadership.Leadership;
import io.sluice.wire.WorkloadReport;
import io.sluice.wire.WorkloadReportJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import java.security.Principal;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Takes the reports of processes, and shows who is known. */
@RestController
@RequestMapping("/api/v1/workloads")
class WorkloadsEndpoint {
    private final KnownWorkloads workloads;
    private final Leadership leadership;
    private final RuleSource published;
    private final Journal journal;
    private final TransactionTemplate transaction;
    private final InstantSource clock;

    WorkloadsEndpoint(
            KnownWorkloads workloads,
            Leadership leadership,
            RuleSource published,
            Journal journal,
            TransactionTemplate transaction,
            InstantSource clock) {
        this.workloads = workloads;
        this.leadership = leadership;
        this.published = published;
        this.journal = journal;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * What a process says of itself, every two seconds and whenever it has taken new rules. It is in the memory of the
     * server that leads, so another one does not take it.
     */
    @Operation(
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            content = @Content(schema = @Schema(implementation = WorkloadReport.class))))
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void take(@RequestBody byte[] body) {
        leadership.requireLeader();
        workloads.take(WorkloadReportJson.read(body));
    }

    /** All processes that are known, by name, each beside the rules that are published. */
    @GetMapping
    AllWorkloads all() {
        RuleSet rules = published.current();
        return new AllWorkloads(
                rules.epoch() + "." + rules.revision(),
                workloads.all().stream().map(each -> View.of(each, rules)).toList());
    }

    /** Strikes off a process that is gone without a goodbye. One that reports again is known again. */
    @DeleteMapping("/{*instance}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void strikeOff(@PathVariable String instance, Principal who) {
        // A name may have slashes, and all that follows ours is taken for it, that one included.
        strikeOffNamed(instance.substring(1), who.getName());
    }

    private void strikeOffNamed(String instance, String actor) {
        transaction.executeWithoutResult(status -> {
            Workload struck = workloads
                    .strikeOff(instance)
                    .orElseThrow(() -> new ResponseStatusException(
                            HttpStatus.NOT_FOUND, "no process is known as " + Problem.printable(instance)));
            String why =
                    struck.instance() + ", " + struck.version() + (struck.isReached() ? ", reached" : ", unreached");
            journal.append(
                    new JournalEntry(clock.instant(), Journal.SERVER, actor, "strike-off", why, "unknown", null));
        });
    }

    /** @param published the newest rules, {@code <epoch>.<revision>} */
    record AllWorkloads(String published, List<View> workloads) {}

    /**
     * A process.
     *
     * @param reached whether it was heard in the last ten seconds
     * @param applied whether it is known to decide by the newest rules
     */
    record View(
            String service,
            String instance,
            @Nullable String color,
            String version,
            boolean ready,
            boolean registered,
            long requests,
            long underWay,
            long crossed,
            long epoch,
            long revision,
            String refusal,
            boolean reached,
            long unheardMillis,
            boolean applied) {
        static View of(Workload workload, RuleSet published) {
            Color color = workload.color();
            return new View(
                    workload.service(),
                    workload.instance(),
                    color == null ? null : color.label(),
                    workload.version(),
                    workload.ready(),
                    workload.registered(),
                    workload.requests(),
                    workload.underWay(),
                    workload.crossed(),
                    workload.epoch(),
                    workload.revision(),
                    workload.refusal(),
                    workload.isReached(),
                    workload.unheard().toMillis(),
                    workload.hasApplied(published.epoch(), published.revision()));
        }
    }
}
