package io.sluice.core.rule;

import io.sluice.core.decision.Decision;
import io.sluice.core.decision.Lane;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.problem.Problems;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All rules at one moment: whole, revisioned, consistent or refused. Immutable, compiled once, safe for all threads; no
 * method that a request calls throws or blocks.
 *
 * <p>Read it once a request: everything about one request is decided from one rule set.
 */
public final class RuleSet {
    private static final RuleSet EMPTY = new RuleSet(0, 0, List.of(), List.of());

    private final long epoch;
    private final long revision;
    private final List<ReleaseRule> releases;
    private final Map<String, ReleaseRule> byId;
    private final Map<String, ReleaseRule> byService;
    private final List<Channel> channels;
    private final Map<String, Channel> channelByService;
    private final List<Watched> watched;

    private RuleSet(long epoch, long revision, List<ReleaseRule> releases, List<Channel> channels) {
        this.epoch = epoch;
        this.revision = revision;
        this.releases = List.copyOf(releases);
        this.channels = List.copyOf(channels);
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
        Map<String, Channel> inChannel = checkedChannels(ids, services, problems);
        problems.throwIfAny();
        this.byId = Map.copyOf(ids);
        this.byService = Map.copyOf(services);
        this.channelByService = Map.copyOf(inChannel);
        List<Watched> all = new ArrayList<>(this.releases);
        for (Channel channel : this.channels) {
            if (channel.flow() != null) {
                all.add(new Channel.Released(channel, channel.flow()));
            }
            if (channel.renewal() != null) {
                all.add(new Channel.Renewed(channel, channel.renewal()));
            }
        }
        this.watched = List.copyOf(all);
    }

    private Map<String, Channel> checkedChannels(
            Map<String, ReleaseRule> ids, Map<String, ReleaseRule> services, Problems problems) {
        Map<String, Channel> inChannel = new HashMap<>();
        Set<String> seen = new HashSet<>();
        Set<String> inRelease = new HashSet<>(ids.keySet());
        for (int i = 0; i < channels.size(); i++) {
            Channel channel = channels.get(i);
            String path = "channels[" + i + "]";
            problems.require(seen.add(channel.id()), path + ".id", channel.id(), "must be used once");
            Flow flow = channel.flow();
            problems.require(
                    flow == null || inRelease.add(flow.release()),
                    path + ".flow.release",
                    flow == null ? "" : flow.release(),
                    "must be used once");
            Renewal renewal = channel.renewal();
            problems.require(
                    renewal == null || inRelease.add(renewal.release()),
                    path + ".renewal.release",
                    renewal == null ? "" : renewal.release(),
                    "must be used once");
            for (String service : channel.services()) {
                Channel other = inChannel.put(service, channel);
                problems.require(
                        other == null,
                        path + ".services",
                        service,
                        "must not be in channel " + (other == null ? "" : other.id()) + " at the same time");
                ReleaseRule rule = services.get(service);
                problems.require(
                        flow == null && renewal == null || rule == null,
                        path + ".services",
                        service,
                        "must not be in release " + (rule == null ? "" : rule.id()) + " while its channel is in one");
            }
        }
        return inChannel;
    }

    /**
     * A rule set of these releases.
     *
     * @param epoch raised only when the history of revisions was broken on purpose, as by a restored backup
     * @param revision raised with every change
     * @throws io.sluice.core.problem.RefusedException when two releases have one id, or claim one service
     */
    public static RuleSet of(long epoch, long revision, List<ReleaseRule> releases) {
        return new RuleSet(epoch, revision, releases, List.of());
    }

    /**
     * A rule set of these releases and channels.
     *
     * @throws io.sluice.core.problem.RefusedException also when two channels have one id or claim one service, or a channel
     *     in release has a service that is in another release too
     */
    public static RuleSet of(long epoch, long revision, List<ReleaseRule> releases, List<Channel> channels) {
        return new RuleSet(epoch, revision, releases, channels);
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

    public List<Channel> channels() {
        return channels;
    }

    /** All releases whose requests are counted: those of canaries, then those of channels. */
    public List<Watched> watched() {
        return watched;
    }

    /** The one channel that a service is in; null when it is in none. */
    public @Nullable Channel channelOf(String service) {
        return channelByService.get(service);
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
        TrafficTag tag = new TrafficTag(who.customer(), who.channel(), assignments);
        return TagCodec.fitting(colored(tag, "", null));
    }

    /**
     * A tag with a color in every channel that is in release: the one it has, else that of the instance that asks in its own
     * channel, else by the share. The first door that a request comes through asks, so it is one decision, made no later
     * than at the first entry, and every later hop finds it made.
     *
     * @param service the service that asks; in no channel, as an edge is, it may be empty
     * @param own the color of the instance that asks; null when it has none
     */
    public TrafficTag colored(TrafficTag tag, String service, @Nullable Color own) {
        TrafficTag colored = tag;
        for (int i = 0; i < channels.size(); i++) {
            Channel channel = channels.get(i);
            if (channel.flow() != null) {
                colored = colored.withColors(channel.enter(colored, channel.covers(service) ? own : null));
            }
        }
        return colored;
    }

    /**
     * The color that a request must be served by at a service; null when any will do, since its channel is in no release
     * or the request was never {@linkplain #colored colored}.
     */
    public @Nullable Color wantedColor(TrafficTag tag, String service) {
        Channel channel = channelByService.get(service);
        return channel == null || channel.flow() == null ? null : tag.colors().in(channel.id());
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
                && releases.equals(that.releases)
                && channels.equals(that.channels);
    }

    @Override
    public int hashCode() {
        return Objects.hash(epoch, revision, releases, channels);
    }

    @Override
    public String toString() {
        return "RuleSet[" + epoch + "." + revision + ", " + releases + ", " + channels + "]";
    }
}
