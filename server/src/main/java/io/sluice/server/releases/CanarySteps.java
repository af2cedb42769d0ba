package io.sluice.server.releases;

import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Phase;
import io.sluice.core.release.Release;
import io.sluice.server.ledger.StepRecord;
import io.sluice.server.releases.JdbcReleaseStore.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What a change of a canary release means for the record of its weights. */
final class CanarySteps {
    private final StepRecord record;

    CanarySteps(StepRecord record) {
        this.record = record;
    }

    void created(Release release, Instant at) {
        if (release.phase().isLive()) {
            record.enter(
                    release.id(),
                    release.step(),
                    release.phase().percent(release.spec().plan()),
                    at);
        }
    }

    void changed(Change change, List<JournalEntry> entries) {
        Release before = change.before();
        Release after = change.after();
        boolean leaves = before.step() != after.step()
                || after.phase().isOver() && !before.phase().isOver();
        if (leaves) {
            record.leave(before.id(), before.step(), lastLook(change, entries));
            if (before.step() != after.step() && after.phase().isLive()) {
                record.enter(
                        after.id(),
                        after.step(),
                        after.phase().percent(after.spec().plan()));
            }
        } else if (held(after).compareTo(held(before)) > 0) {
            record.watched(after.id(), after.step(), held(after).minus(held(before)));
        }
    }

    /** A verdict is about what came before the change that followed from it. */
    void judged(Change change, JournalEntry entry, long seq) {
        if (entry.verdict() != null) {
            record.judged(change.before().id(), change.before().step(), seq);
        }
    }

    /** The last look's share is in no saved state; who went on by itself was watched for the hold time at least. */
    private static Duration lastLook(Change change, List<JournalEntry> entries) {
        Release before = change.before();
        boolean byItself = entries.stream()
                .anyMatch(entry -> change.isOf(entry) && entry.actor().equals(JournalEntry.ORCHESTRATOR));
        if (byItself && before.phase() instanceof Phase.Ramping ramping) {
            Duration hold = before.spec().plan().stages().get(ramping.stage()).hold();
            return ramping.held().compareTo(hold) < 0 ? hold.minus(ramping.held()) : Duration.ZERO;
        }
        return Duration.ZERO;
    }

    private static Duration held(Release release) {
        if (release.phase() instanceof Phase.Ramping ramping) {
            return ramping.held();
        }
        return release.phase() instanceof Phase.Paused paused ? paused.held() : Duration.ZERO;
    }
}
