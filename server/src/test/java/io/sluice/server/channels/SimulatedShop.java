package io.sluice.server.channels;

import io.sluice.core.decision.Percent;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.Renewal;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.server.Api;
import io.sluice.wire.RuleSetJson;
import io.sluice.wire.WorkloadReport;
import io.sluice.wire.WorkloadReportJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The processes of a channel as the server knows them: each reads the rules, does what they say, and reports. They are
 * simulated here, since what matters is the server's part; the adapters' tests have real ones.
 */
public final class SimulatedShop implements AutoCloseable {
    private final Supplier<Api> rulesFrom;
    private final Supplier<Api> server;
    private final String channel;
    private final List<Member> members = new ArrayList<>();
    private final Set<Percent> shares = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
    private String broken = "";
    private long sequence;

    /** @param server the one that is there at the time; it may be away for a while */
    public SimulatedShop(Supplier<Api> server, String channel, String... services) {
        this(server, server, channel, services);
    }

    /**
     * Processes behind a balancer of several servers.
     *
     * @param rulesFrom any of them
     * @param server the one that leads at the time
     */
    public SimulatedShop(Supplier<Api> rulesFrom, Supplier<Api> server, String channel, String... services) {
        this.rulesFrom = rulesFrom;
        this.server = server;
        this.channel = channel;
        for (String service : services) {
            for (Color color : Color.values()) {
                members.add(new Member(service, service + "@" + color.label() + ":1", color));
                members.add(new Member(service, service + "@" + color.label() + ":2", color));
            }
        }
        loop.scheduleWithFixedDelay(this::turn, 0, 150, TimeUnit.MILLISECONDS);
    }

    /** What a deployer does: from now on the processes of a side are those of another version. */
    public synchronized void deploy(Color side, String version) {
        members.stream().filter(member -> member.color == side).forEach(member -> {
            member.version = version;
            member.requests = 0;
        });
    }

    /** What a deployer does in a rolling release: from now on these are processes of another version. */
    public synchronized void deploy(Set<String> instances, String version) {
        members.stream().filter(member -> instances.contains(member.instance)).forEach(member -> {
            member.version = version;
            member.requests = 0;
        });
    }

    /** What each process runs. */
    public synchronized List<String> versions() {
        return members.stream().map(member -> member.version).toList();
    }

    /** From now on all requests that this version serves in a rolling release fail. */
    public synchronized void breakVersion(String version) {
        broken = version;
    }

    /** Whether the processes of a side serve. */
    public synchronized void ready(Color side, boolean ready) {
        members.stream().filter(member -> member.color == side).forEach(member -> member.ready = ready);
    }

    /** Blue's shares so far, of all the rules by which there were requests. A stage without any is not passed. */
    public Set<Percent> shares() {
        return shares;
    }

    /** How many requests an instance gets each turn, where the others get five. */
    public synchronized void load(String instance, int requests) {
        member(instance).load = requests;
    }

    /** Why an instance cannot use the rules that it gets; empty when it can again. */
    public synchronized void refuse(String instance, String why) {
        member(instance).refusal = why;
    }

    /** An instance is not heard of any more, and may be gone. */
    public synchronized void silence(String instance) {
        member(instance).silent = true;
    }

    private Member member(String instance) {
        return members.stream()
                .filter(member -> member.instance.equals(instance))
                .findFirst()
                .orElseThrow();
    }

    private void turn() {
        try {
            RuleSet rules = RuleSetJson.read(
                    rulesFrom.get().withToken("").get("/api/v1/rules").raw().body());
            Api process = server.get().withToken("");
            rules.channels().stream()
                    .filter(each -> each.id().equals(channel))
                    .findFirst()
                    .ifPresent(each -> follow(process, rules, each));
        } catch (RuntimeException away) {
            // The server is being restarted; its processes go on with what they know.
        }
    }

    private synchronized void follow(Api process, RuleSet rules, Channel of) {
        if (loop.isShutdown()) {
            return;
        }
        for (Member member : members) {
            boolean registered = !of.isClosed(member.color, member.instance);
            boolean drained = of.isDrained(member.color, member.instance);
            if (member.silent) {
                continue;
            }
            member.requests += drained || !member.ready ? 0 : member.load;
            process.post("/api/v1/workloads", member.report(registered, rules, false));
        }
        Renewal renewal = of.renewal();
        if (renewal != null) {
            members.stream()
                    .filter(member -> !of.isDrained(member.color, member.instance))
                    .forEach(member -> observe(process, member, renewal));
        }
        Flow flow = of.flow();
        if (flow != null) {
            shares.add(flow.blue());
            for (String service : of.services()) {
                observe(process, service, flow);
            }
        }
    }

    private void observe(Api process, Member member, Renewal renewal) {
        String lane = member.version.equals(renewal.version()) ? "canary" : "stable";
        process.post(
                "/api/v1/observations",
                Api.batch(
                        member.service,
                        ++sequence,
                        renewal.release(),
                        renewal.step(),
                        lane,
                        20,
                        member.version.equals(broken) ? 20 : 0));
    }

    private void observe(Api process, String service, Flow flow) {
        for (Color color : Color.values()) {
            if (!flow.isDrained(color)) {
                String lane = flow.laneOf(color).label();
                process.post(
                        "/api/v1/observations",
                        Api.batch(service, ++sequence, flow.release(), flow.step(), lane, 20, 0));
            }
        }
    }

    /** Every process says goodbye: a release of another test would wait for those that do not. */
    @Override
    public synchronized void close() {
        loop.shutdownNow();
        try {
            Api process = server.get().withToken("");
            members.forEach(member -> process.post("/api/v1/workloads", member.report(false, RuleSet.empty(), true)));
        } catch (RuntimeException away) {
            // A server that is gone knows nobody.
        }
    }

    private static final class Member {
        private final String service;
        private final String instance;
        private final Color color;
        private String version = "v1";
        private boolean ready = true;
        private boolean silent;
        private String refusal = "";
        private int load = 5;
        private long requests;

        Member(String service, String instance, Color color) {
            this.service = service;
            this.instance = instance;
            this.color = color;
        }

        String report(boolean registered, RuleSet rules, boolean leaving) {
            WorkloadReport report = new WorkloadReport(
                    service,
                    instance,
                    color,
                    Objects.requireNonNull(version),
                    ready,
                    registered,
                    requests,
                    0,
                    0,
                    rules.epoch(),
                    rules.revision(),
                    refusal,
                    leaving);
            return new String(WorkloadReportJson.write(report), StandardCharsets.UTF_8);
        }
    }
}
