package io.sluice.wire;

import io.sluice.core.channel.BatchGuard;
import io.sluice.core.channel.BatchGuard.OnBreach;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.release.Policy;
import io.sluice.core.release.Policy.OnHold;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/** The guard of a rolling release: the limits of any guard, and what follows for a batch. */
final class BatchGuardJson {
    private BatchGuardJson() {}

    static BatchGuard read(Fields in) {
        Policy usual = Policy.DEFAULT;
        Read<Thresholds> limits = GuardJson.readLimits(in);
        Read<OnBreach> onBreach =
                in.optional("onBreach", OnBreach.ABORT, field -> in.word(field, OnBreach.values(), OnBreach::label));
        Read<Duration> limit = in.optional("holdLimit", usual.holdLimit(), in::duration);
        Read<OnHold> onHold =
                in.optional("onHold", usual.onHold(), field -> in.word(field, OnHold.values(), OnHold::label));
        return in.end(() -> new BatchGuard(limits.get(), onBreach.get(), limit.get(), onHold.get()));
    }

    static void write(ObjectNode out, BatchGuard guard) {
        GuardJson.writeLimits(out, guard.limits());
        out.put("onBreach", guard.onBreach().label())
                .put("holdLimit", DurationText.format(guard.holdLimit()))
                .put("onHold", guard.onHold().label());
    }
}
