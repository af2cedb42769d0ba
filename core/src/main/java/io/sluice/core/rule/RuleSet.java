package io.sluice.core.rule;

import io.sluice.core.decision.Decision;
import io.sluice.core.decision.Lane;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.problem.Problems;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All rules at one moment: whole, revisioned, consistent or refused. Immutable, compiled once, safe for all threads; no
 * method that a request calls throws or blocks.
 *
 * <p>Read it once a request: everything about one request is decided from one rule set.
 */
public final class RuleSet {
    private static final RuleSet EMPTY = new RuleSet(0, 0, List.of());

    private final long epoch;
    private final long revision;
    private final List<ReleaseRule> releases;
    private final Map<String, ReleaseRule> byId;
    private final Map<String, ReleaseRule> byService;

    private RuleSet(long epoch, long revision, List<ReleaseRule> releases) {
        this.epoch = epoch;
        this.revision = revision;
        this.releases = List.copyOf(releases);
        Problems problems = new Problems();
        problems.require(epoch >= 0, "epoch", epoch, "must not be negative");
        problems.require(revision >= 0, "revision", revision, "must not be negative");
        Map<String, ReleaseRule> ids = new HashMap<>();
        Map<String, ReleaseRule> services = new HashMap<>();
        for (int i = 0; i < this.releases.size(); i++) {
            ReleaseRule rule = this.releases.get(i);
            problems.require(
                    ids.put(rule.id(), rule) == null, "releases[" + i + "].id", rule.id(), "must be used once");
            for (String service : rule.services()) {
                ReleaseRule other = services.put(service, rule);
                problems.require(
                        other == null,
                        "releases[" + i + "].services",
                        service,
                        "must not be in release " + (other == null ? "" : other.id()) + " at the same time");
            }
        }
        problems.throwIfAny();
        this.byId = Map.copyOf(ids);
        this.byService = Map.copyOf(services);
    }

    /**
     * A rule set of these releases.
     *
     * @param epoch raised only when the history of revisions was broken on purpose, as by a restored backup
     * @param revision raised with every change
     * @throws io.sluice.core.problem.RefusedException when two releases have one id, or claim one service
     */
    public static RuleSet of(long epoch, long revision, List<ReleaseRule> releases) {
        return new RuleSet(epoch, revision, releases);
    }

    /** No rules: everybody is stable. */
    public static RuleSet empty() {
        return EMPTY;
    }

    public long epoch() {
        return epoch;
    }

    public long revision() {
        return revision;
    }

    public List<ReleaseRule> releases() {
        return releases;
    }

    public boolean isNewerThan(RuleSet other) {
        return epoch > other.epoch || (epoch == other.epoch && revision > other.revision);
    }

    public @Nullable ReleaseRule release(String id) {
        return byId.get(id);
    }

    /** The one release that covers a service; null when none does. */
    public @Nullable ReleaseRule releaseOf(String service) {
        return byService.get(service);
    }

    /**
     * The tag of a request at the edge: its identity, and the canary of every release that it is on. If those are more
     * than a tag can name, which takes 20 or more, the last ones are left out, and the request is stable there.
     */
    public TrafficTag dye(RequestView request, Identity who) {
        List<Assignment> assignments = List.of();
        for (int i = 0; i < releases.size(); i++) {
            ReleaseRule rule = releases.get(i);
            if (rule.decide(request, who).isCanary()) {
                if (assignments.isEmpty()) {
                    assignments = new ArrayList<>(2);
                }
                assignments.add(new Assignment(rule.id(), rule.version()));
            }
        }
        return TagCodec.fitting(new TrafficTag(who.customer(), who.channel(), assignments));
    }

    /** Why a request is where it is, release by release. */
    public Map<ReleaseRule, Decision> explain(RequestView request, Identity who) {
        Map<ReleaseRule, Decision> decisions = new LinkedHashMap<>();
        releases.forEach(rule -> decisions.put(rule, rule.decide(request, who)));
        return decisions;
    }

    /**
     * The version that a tagged request asks of a service, {@link TrafficTag#STABLE_VERSION} unless a live release of
     * that service has it on its canary. So an aborted, finished or unknown release counts as stable at the next hop.
     */
    public String wantedVersion(TrafficTag tag, String service) {
        ReleaseRule rule = byService.get(service);
        return rule != null && rule.laneOf(tag) == Lane.CANARY ? rule.version() : TrafficTag.STABLE_VERSION;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RuleSet that
                && epoch == that.epoch
                && revision == that.revision
                && releases.equals(that.releases);
    }

    @Override
    public int hashCode() {
        return Objects.hash(epoch, revision, releases);
    }

    @Override
    public String toString() {
        return "RuleSet[" + epoch + "." + revision + ", " + releases + "]";
    }
}
