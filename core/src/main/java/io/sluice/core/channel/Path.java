package io.sluice.core.channel;

import io.sluice.core.channel.ChannelPhase.Batch;
import io.sluice.core.channel.ChannelPhase.Batch.Part;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.List;

/** Which phase follows which: forward, and back. Whether it is time is asked elsewhere. */
final class Path {
    private final ChannelRelease release;
    private final ChannelPhase outer;
    private final ChannelPhase at;

    /** The path from where a release stands; of a paused one, from where it stood. */
    Path(ChannelRelease release) {
        this.release = release;
        this.outer = release.phase() instanceof ChannelPhase.Paused paused ? paused.inner() : release.phase();
        this.at = outer.at();
    }

    /** The phase that follows when this one has what it waits for. */
    ChannelPhase next() {
        if (outer instanceof ChannelPhase.Restoring restoring) {
            return nextBack(restoring.why());
        }
        if (at instanceof ChannelPhase.Scaling scaling) {
            return scaling.up() ? new ChannelPhase.Draining(Color.BLUE, false) : new ChannelPhase.Completed();
        }
        if (at instanceof ChannelPhase.Draining draining) {
            return afterDraining(draining);
        }
        if (at instanceof ChannelPhase.Deploying deploying) {
            // Green is what blue was verified to be; only what can be asked without a human is asked again.
            boolean isVerified =
                    deploying.side() == Color.BLUE || !release.spec().check().isManual();
            return isVerified ? new ChannelPhase.Verifying(deploying.side()) : opening(deploying.side());
        }
        if (at instanceof ChannelPhase.Verifying verifying) {
            return opening(verifying.side());
        }
        if (at instanceof ChannelPhase.Opening opening) {
            return new ChannelPhase.Admitting(opening.side(), 0, Duration.ZERO);
        }
        if (at instanceof ChannelPhase.Admitting admitting) {
            return afterAdmitting(admitting);
        }
        if (at instanceof ChannelPhase.Confirming) {
            return new ChannelPhase.Draining(Color.GREEN, false);
        }
        if (at instanceof ChannelPhase.Returned returned) {
            // Its last requests may have begun a moment ago.
            return new ChannelPhase.Restoring(
                    new ChannelPhase.Draining(Color.BLUE, returned.leaving()), returned.why());
        }
        return at instanceof Batch batch ? afterPart(batch) : at;
    }

    /** Where an abort leads. Only to be asked where there is a way back. */
    ChannelPhase back(String why) {
        if (outer instanceof ChannelPhase.Restoring || at instanceof ChannelPhase.Returned || at.isOver()) {
            return release.phase();
        }
        if (at instanceof ChannelPhase.Scaling) {
            return new ChannelPhase.Restoring(new ChannelPhase.Scaling(false, 1, Duration.ZERO), why);
        }
        if (at instanceof ChannelPhase.Draining draining && draining.side() == Color.BLUE) {
            return new ChannelPhase.Restoring(opening(Color.BLUE), why);
        }
        if (at instanceof ChannelPhase.Draining draining && draining.leaving()) {
            // Nobody finds green at this moment; traffic goes there when it can be found again.
            return new ChannelPhase.Restoring(opening(Color.GREEN), why);
        }
        if (at.side() == Color.BLUE && !isOpened()) {
            // It can't be found by anybody, and stays so until it runs the old version again.
            return new ChannelPhase.Restoring(new ChannelPhase.Deploying(Color.BLUE, 1, Duration.ZERO), why);
        }
        if (at instanceof Batch batch) {
            return batchBack(batch, why);
        }
        return at instanceof ChannelPhase.Draft ? new ChannelPhase.Aborted(why) : new ChannelPhase.Returned(why);
    }

    private boolean isOpened() {
        return at instanceof ChannelPhase.Opening || at instanceof ChannelPhase.Admitting;
    }

    private ChannelPhase nextBack(String why) {
        if (at instanceof ChannelPhase.Draining draining) {
            return new ChannelPhase.Restoring(afterDraining(draining), why);
        }
        if (at instanceof ChannelPhase.Deploying deploying) {
            return new ChannelPhase.Restoring(opening(deploying.side()), why);
        }
        if (at instanceof ChannelPhase.Opening opening && opening.side() == Color.GREEN) {
            return new ChannelPhase.Returned(why);
        }
        if (at instanceof ChannelPhase.Opening && release.scaled()) {
            return new ChannelPhase.Restoring(new ChannelPhase.Scaling(false, 1, Duration.ZERO), why);
        }
        if (at instanceof Batch batch && batch.part() != Part.OPENING) {
            return new ChannelPhase.Restoring(
                    part(batch, batch.part() == Part.DRAINING ? Part.DEPLOYING : Part.OPENING), why);
        }
        return new ChannelPhase.Aborted(why);
    }

    private static ChannelPhase afterDraining(ChannelPhase.Draining draining) {
        return draining.leaving()
                ? new ChannelPhase.Deploying(draining.side(), 1, Duration.ZERO)
                : new ChannelPhase.Draining(draining.side(), true);
    }

    private ChannelPhase afterAdmitting(ChannelPhase.Admitting admitting) {
        boolean isLast = admitting.stage() == release.stages(admitting.side()).size() - 1;
        if (!isLast) {
            return new ChannelPhase.Admitting(admitting.side(), admitting.stage() + 1, Duration.ZERO);
        }
        if (admitting.side() == Color.BLUE) {
            return new ChannelPhase.Confirming();
        }
        return release.scaled() ? new ChannelPhase.Scaling(false, 1, Duration.ZERO) : new ChannelPhase.Completed();
    }

    private ChannelPhase afterPart(Batch batch) {
        return switch (batch.part()) {
            case DRAINING -> part(batch, Part.DEPLOYING);
            case DEPLOYING -> part(batch, release.spec().check().isManual() ? Part.OPENING : Part.VERIFYING);
            case VERIFYING -> part(batch, Part.OPENING);
            case OPENING -> part(batch, Part.HOLDING);
            case HOLDING -> nextBatch(batch.index() + 1);
        };
    }

    private ChannelPhase nextBatch(int index) {
        List<List<String>> batches = release.batches().all();
        return index == batches.size()
                ? new ChannelPhase.Completed()
                : new Batch(index, batches.get(index), Part.DRAINING, 1, Duration.ZERO);
    }

    /** The batch at hand goes in again with what it ran before; batches that are done stay as they are. */
    private ChannelPhase batchBack(Batch batch, String why) {
        Part first =
                switch (batch.part()) {
                    case DRAINING -> Part.OPENING;
                    case DEPLOYING, VERIFYING -> Part.DEPLOYING;
                    case OPENING, HOLDING -> Part.DRAINING;
                };
        return new ChannelPhase.Restoring(part(batch, first), release.batches().staying(why));
    }

    private static Batch part(Batch batch, Part part) {
        return new Batch(batch.index(), batch.instances(), part, 1, Duration.ZERO);
    }

    private static ChannelPhase opening(Color side) {
        return new ChannelPhase.Opening(side, Duration.ZERO);
    }
}
