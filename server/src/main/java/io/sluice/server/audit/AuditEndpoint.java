package io.sluice.server.audit;

import io.sluice.core.problem.Problems;
import io.sluice.core.release.UnknownReleaseException;
import io.sluice.server.ledger.Ledger;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reads the journal. There is no way to write it from outside. */
@RestController
@RequestMapping("/api/v1")
class AuditEndpoint {
    private static final int MOST = 1000;

    private final Journal journal;
    private final Ledger ledger;

    AuditEndpoint(Journal journal, Ledger ledger) {
        this.journal = journal;
        this.ledger = ledger;
    }

    /** The journal of one release, the oldest entry first. */
    @GetMapping("/releases/{id}/journal")
    JournalView ofRelease(@PathVariable String id) {
        if (ledger.strategyOf(id).isEmpty()) {
            throw new UnknownReleaseException(id);
        }
        return JournalView.of(journal.of(id));
    }

    /** The newest entries of all releases, or of one, the newest first. */
    @GetMapping("/audit")
    JournalView newest(@RequestParam(defaultValue = "") String release, @RequestParam(defaultValue = "100") int limit) {
        Problems problems = new Problems();
        problems.require(limit >= 1 && limit <= MOST, "limit", limit, "must be within 1.." + MOST);
        problems.throwIfAny();
        return JournalView.of(release.isEmpty() ? journal.newest(limit) : journal.newest(release, limit));
    }

    /** Whether the journal is whole. */
    @GetMapping("/audit/verify")
    Verification verify() {
        return journal.firstBroken()
                .map(seq -> new Verification(false, seq))
                .orElseGet(() -> new Verification(true, null));
    }

    /** @param firstBroken the first entry that is missing or not as it was written; null when all are */
    record Verification(boolean whole, @Nullable Long firstBroken) {}
}
