package io.sluice.server.observations;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.Tally;
import io.sluice.core.problem.Problems;
import io.sluice.core.release.UnknownReleaseException;
import io.sluice.server.ledger.Ledger;
import io.sluice.wire.ObservationBatch;
import io.sluice.wire.ObservationBatchJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes observations in, and shows them. */
@RestController
@RequestMapping("/api/v1")
class ObservationsEndpoint {
    private static final Duration PRESENT = Duration.ofSeconds(15);
    private static final int LONGEST_SERIES = 600;

    private final Object reading = new Object();
    private final Observations observations;
    private final Ledger ledger;
    private final InstantSource clock;

    ObservationsEndpoint(Observations observations, Ledger ledger, InstantSource clock) {
        this.observations = observations;
        this.ledger = ledger;
        this.clock = clock;
    }

    /** A batch of a gateway or service; 204 also for one that came before. */
    @Operation(
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            content = @Content(schema = @Schema(ref = "/schema/observations.json"))))
    @PostMapping(path = "/observations", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void take(@RequestBody byte[] body) {
        observations.take(read(body));
    }

    /** One at a time: a document of 1 MiB takes many times that while it is read, and anybody may send one. */
    private ObservationBatch read(byte[] body) {
        synchronized (reading) {
            return ObservationBatchJson.read(body);
        }
    }

    /** How both lanes went lately, a point a second. */
    @GetMapping("/releases/{id}/lanes")
    Lanes lanes(@PathVariable String id, @RequestParam(defaultValue = "120") int seconds) {
        Problems problems = new Problems();
        problems.require(
                seconds >= 1 && seconds <= LONGEST_SERIES, "seconds", seconds, "must be within 1.." + LONGEST_SERIES);
        problems.throwIfAny();
        long step = ledger.stepOf(id).orElseThrow(() -> new UnknownReleaseException(id));
        List<ServiceSeries> services = new ArrayList<>();
        observations.series(id, seconds).forEach((service, lanes) -> services.add(ServiceSeries.of(service, lanes)));
        List<LaneTotal> totals = new ArrayList<>();
        observations.totals(id, step).forEach((service, tallies) -> {
            for (Lane lane : Lane.values()) {
                totals.add(LaneTotal.of(service, lane, tallies.of(lane)));
            }
        });
        totals.removeIf(total -> total.count() == 0);
        return new Lanes(clock.instant(), services, totals);
    }

    /** Who reports at present. */
    @GetMapping("/instances")
    Instances instances() {
        return new Instances(observations.heardWithin(PRESENT));
    }

    /** @param totals those of the current step */
    record Lanes(Instant now, List<ServiceSeries> services, List<LaneTotal> totals) {}

    record ServiceSeries(String service, List<Point> points) {
        static ServiceSeries of(String service, Map<Lane, List<Series.Point>> lanes) {
            List<Point> points = new ArrayList<>();
            lanes.forEach((lane, values) -> values.forEach(point -> points.add(Point.of(lane, point))));
            points.sort(Comparator.comparing(Point::at).thenComparing(Point::lane));
            return new ServiceSeries(service, points);
        }
    }

    /** @param at the second's beginning, in milliseconds since the epoch */
    record Point(long at, String lane, long count, long failed, long p50Millis, long p99Millis) {
        static Point of(Lane lane, Series.Point point) {
            return new Point(
                    point.second() * 1000,
                    lane.label(),
                    point.count(),
                    point.failed(),
                    point.p50Millis(),
                    point.p99Millis());
        }
    }

    record LaneTotal(String service, String lane, long count, long failed, long p99Millis) {
        static LaneTotal of(String service, Lane lane, Tally tally) {
            return new LaneTotal(
                    service,
                    lane.label(),
                    tally.count(),
                    tally.failed(),
                    tally.quantile(99).toMillis());
        }
    }

    record Instances(List<Observations.Heard> instances) {}
}
