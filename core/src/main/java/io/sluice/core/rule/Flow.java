package io.sluice.core.rule;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Lane;
import io.sluice.core.decision.Percent;
import io.sluice.core.problem.Problems;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * How traffic flows through a channel while it is in a blue-green release: what share is blue, and that colors do not mix.
 * Immutable; deciding never throws, blocks or allocates.
 *
 * <p>A customer's color follows from the release and the customer's id, so it is the same at every entry, and a larger
 * share of one color only adds customers to it. A request without a customer gets its color by chance.
 */
public final class Flow {
    private final String release;
    private final String version;
    private final Color admitted;
    private final Percent blue;
    private final @Nullable Color closed;
    private final long step;
    private final Duration slowerThan;
    private final Duration overdueAfter;
    private final Bucketing bucketing;

    /**
     * A flow.
     *
     * @param release the release; its id is the salt that places customers
     * @param version what the admitted side runs
     * @param admitted the side that is being released: its requests are counted as canary, those of the other as stable
     * @param blue the share of blue; green has the rest, so both sides can never be without
     * @param closed the side whose instances are to leave their registry, null for none; it must have no share
     * @param step counts the release's changes of weight
     * @param slowerThan a request that takes longer counts as slow
     * @param overdueAfter a request that is still under way after so long is told of as overdue
     * @throws io.sluice.core.problem.RefusedException with every problem
     */
    public Flow(
            String release,
            String version,
            Color admitted,
            Percent blue,
            @Nullable Color closed,
            long step,
            Duration slowerThan,
            Duration overdueAfter) {
        Problems problems = new Problems();
        problems.part("release", () -> Names.requireId(release));
        problems.part("version", () -> Names.requireVersion(version));
        problems.require(
                closed == null || shareOf(closed, blue).equals(Percent.ZERO),
                "closed",
                closed == null ? "" : closed.label(),
                "must be a side without a share, and has " + (closed == null ? "" : shareOf(closed, blue)));
        problems.require(step >= 0, "step", step, "must not be negative");
        problems.require(
                slowerThan.toNanos() > 0, "slowerThan", slowerThan.toMillis() + "ms", "must be longer than zero");
        problems.require(
                overdueAfter.toNanos() > 0, "overdueAfter", overdueAfter.toMillis() + "ms", "must be longer than zero");
        problems.throwIfAny();
        this.release = release;
        this.version = version;
        this.admitted = admitted;
        this.blue = blue;
        this.closed = closed;
        this.step = step;
        this.slowerThan = slowerThan;
        this.overdueAfter = overdueAfter;
        this.bucketing = Bucketing.of(BucketHash.FNV1A_MIXED, release);
    }

    public String release() {
        return release;
    }

    public String version() {
        return version;
    }

    public Color admitted() {
        return admitted;
    }

    public Percent blue() {
        return blue;
    }

    public @Nullable Color closed() {
        return closed;
    }

    public long step() {
        return step;
    }

    public Duration slowerThan() {
        return slowerThan;
    }

    public Duration overdueAfter() {
        return overdueAfter;
    }

    /** The share of one color. */
    public Percent shareOf(Color color) {
        return shareOf(color, blue);
    }

    /** Whether no new request gets this color. */
    public boolean isDrained(Color color) {
        return shareOf(color).equals(Percent.ZERO);
    }

    /** The color of a request that enters the channel. @param customer the customer's id, empty when there is none */
    public Color enter(String customer) {
        int bucket = customer.isEmpty() || blue.isAllOrNothing()
                ? ThreadLocalRandom.current().nextInt(10_000)
                : bucketing.bucket(customer);
        return blue.covers(bucket) ? Color.BLUE : Color.GREEN;
    }

    private static Percent shareOf(Color color, Percent blue) {
        return color == Color.BLUE ? blue : new Percent(10_000 - blue.basisPoints());
    }

    /** The lane on which a color's requests are counted. */
    public Lane laneOf(Color color) {
        return color == admitted ? Lane.CANARY : Lane.STABLE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Flow that
                && release.equals(that.release)
                && version.equals(that.version)
                && admitted == that.admitted
                && blue.equals(that.blue)
                && closed == that.closed
                && step == that.step
                && slowerThan.equals(that.slowerThan)
                && overdueAfter.equals(that.overdueAfter);
    }

    @Override
    public int hashCode() {
        return Objects.hash(release, version, admitted, blue, closed, step);
    }

    @Override
    public String toString() {
        return "Flow[" + release + " " + version + ", blue " + blue + ", step " + step + "]";
    }
}
