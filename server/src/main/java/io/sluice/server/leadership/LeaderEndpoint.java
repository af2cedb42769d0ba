package io.sluice.server.leadership;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tells a load balancer, which asks by status, where reports go. */
@RestController
@RequestMapping("/api/v1")
class LeaderEndpoint {
    private final Leadership leadership;

    LeaderEndpoint(Leadership leadership) {
        this.leadership = leadership;
    }

    /** Whether this server leads: 200, else 503. */
    @GetMapping("/leader")
    ResponseEntity<Leader> leader() {
        long epoch = leadership.epoch();
        return ResponseEntity.status(epoch == 0 ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.OK)
                .body(new Leader(epoch != 0, epoch));
    }

    /** @param epoch of its term; 0 when it does not lead */
    record Leader(boolean leads, long epoch) {}
}
