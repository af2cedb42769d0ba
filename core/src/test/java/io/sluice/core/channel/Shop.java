package io.sluice.core.channel;

import io.sluice.core.guard.SampleSeen;
import io.sluice.core.guard.Seen;
import io.sluice.core.observation.SampleTally;
import io.sluice.core.release.Command;
import io.sluice.core.release.Expected;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Subject;
import io.sluice.core.rule.Channel;
import io.sluice.core.tag.Color;
import io.sluice.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A channel whose processes do at once what they are told: they know what is published, register when they may, and run what
 * the deployer says. A test spoils what it is about.
 */
final class Shop {
    static final Seen GOOD = seen(100, 0);
    static final Seen FEW = seen(10, 0);
    static final Seen BAD = seen(100, 6);

    final InMemoryChannelStore store = new InMemoryChannelStore();
    final SettableClock wallClock = SettableClock.create();
    final Map<String, Workload> processes = new LinkedHashMap<>();
    final Map<String, Seen> evidence = new LinkedHashMap<>(Map.of("order", GOOD, "user", GOOD));
    final Set<String> judged = new LinkedHashSet<>();
    final List<Deployer.Order> orders = new ArrayList<>();
    final List<String> phases = new ArrayList<>();
    Deployer deployer = order -> new Deployer.Progress.Done();
    Verification.Answer answer = new Verification.Answer(true, "200");
    boolean obeys = true;
    ChannelOrchestrator orchestrator;
    private long nanos;

    Shop() {
        restart();
        add("gateway", null, 1);
    }

    static Shop of(ChannelReleaseSpec spec) {
        Shop shop = new Shop();
        for (String service : SampleChannel.SERVICES) {
            for (Color color : Color.values()) {
                shop.add(service, color, 2);
            }
        }
        shop.orchestrator.create(spec, "alice", "new pricing");
        return shop;
    }

    /** A new process of the server: what was only remembered is gone. */
    void restart() {
        orchestrator = new ChannelOrchestrator(
                store,
                () -> List.copyOf(processes.values()),
                this::evidenceOf,
                Map.of("works", this::deploy),
                (release, url) -> answer,
                () -> {},
                wallClock,
                () -> nanos);
    }

    private Map<String, Seen> evidenceOf(Subject subject) {
        judged.add(release().phase().at().words() + " by step " + subject.step() + " of "
                + String.join(" and ", subject.services()));
        return evidence;
    }

    void add(String service, Color color, int instances) {
        for (int i = 1; i <= instances; i++) {
            String name = name(service, color, i);
            processes.put(name, new Workload(service, name, color, "v1", true, true, 0, 0, 0, 0, 0, "", Duration.ZERO));
        }
    }

    static String name(String service, Color color, int i) {
        return service + (color == null ? "" : "-" + color.label()) + "@10.0.0." + i + ":80";
    }

    Shop start() {
        command(Command.START);
        return this;
    }

    ChannelRelease command(Command command) {
        ChannelRelease after = orchestrator.command(
                "r1",
                command,
                "alice",
                "because",
                new Expected(null, release().phase().at().label()));
        note();
        return after;
    }

    /** Looks each half second, until it stands where it is to stand. */
    Shop until(String words) {
        for (int i = 0; i < 1_000; i++) {
            if (release().phase().words().equals(words)) {
                return this;
            }
            look();
        }
        throw new AssertionError(words + " never came; it is " + release().phase() + " and waits for " + waiting());
    }

    Shop looks(int times) {
        for (int i = 0; i < times; i++) {
            look();
        }
        return this;
    }

    void look() {
        if (obeys) {
            processes.replaceAll((name, process) -> obey(process));
        }
        orchestrator.look();
        note();
        nanos += Duration.ofMillis(500).toNanos();
    }

    ChannelRelease release() {
        return store.find("r1").orElseThrow();
    }

    List<String> waiting() {
        return orchestrator.waitingFor("r1");
    }

    List<String> journal() {
        return store.journal().stream()
                .map(entry -> entry.actor() + " " + entry.action() + ": " + entry.outcome())
                .toList();
    }

    JournalEntry lastEntry() {
        return store.journal().get(store.journal().size() - 1);
    }

    void spoil(String name, boolean ready, boolean registered) {
        put(name, ready, registered, 0, 0, Duration.ZERO);
    }

    void cutOff(String name) {
        put(name, true, true, 0, 0, Duration.ofSeconds(12));
    }

    void busy(String name, long requests, long underWay) {
        put(name, true, false, requests, underWay, Duration.ZERO);
    }

    /** One that is out of its registry, and has not reported for a while. */
    void unheard(String name, Duration since) {
        put(name, true, false, 0, 0, since);
    }

    void refuse(String name, String why) {
        put(name, true, true, 0, 0, why, Duration.ZERO);
    }

    private void put(String name, boolean ready, boolean registered, long requests, long underWay, Duration unheard) {
        put(name, ready, registered, requests, underWay, "", unheard);
    }

    private void put(
            String name,
            boolean ready,
            boolean registered,
            long requests,
            long underWay,
            String refusal,
            Duration unheard) {
        Workload was = processes.get(name);
        processes.put(
                name,
                new Workload(
                        was.service(),
                        name,
                        was.color(),
                        was.version(),
                        ready,
                        registered,
                        requests,
                        underWay,
                        0,
                        0,
                        store.published().revision(),
                        refusal,
                        unheard));
    }

    private Workload obey(Workload was) {
        return new Workload(
                was.service(),
                was.instance(),
                was.color(),
                was.version(),
                true,
                !channelOf(was.service()).isClosed(was.color(), was.instance()),
                was.requests(),
                0,
                0,
                0,
                store.published().revision(),
                "",
                Duration.ZERO);
    }

    Channel channel() {
        return channelOf("order");
    }

    Channel channelOf(String service) {
        Optional<ChannelRelease> open = store.open().stream()
                .filter(release -> release.spec().services().contains(service))
                .findFirst();
        return new Channel(
                "any",
                List.of(service),
                open.flatMap(ChannelRelease::flow).orElse(null),
                open.map(ChannelRelease::resting).orElse(Set.of()),
                open.flatMap(ChannelRelease::renewal).orElse(null));
    }

    private Deployer.Progress deploy(Deployer.Order order) {
        if (orders.stream().noneMatch(known -> known.key().equals(order.key()))) {
            orders.add(order);
        }
        Deployer.Progress progress = deployer.deploy(order);
        if (progress instanceof Deployer.Progress.Done) {
            order.targets().forEach(this::run);
        }
        return progress;
    }

    void run(Deployer.Target target) {
        processes.replaceAll((name, was) -> isMeant(target, was) ? running(was, target.version()) : was);
    }

    private static boolean isMeant(Deployer.Target target, Workload process) {
        return process.service().equals(target.service())
                && (target.only().isEmpty()
                        ? process.color() == target.color()
                        : target.only().contains(process.instance()));
    }

    private static Workload running(Workload was, String version) {
        return new Workload(
                was.service(),
                was.instance(),
                was.color(),
                version,
                was.ready(),
                was.registered(),
                0,
                0,
                0,
                was.epoch(),
                was.revision(),
                "",
                Duration.ZERO);
    }

    private void note() {
        String words = release().phase().words();
        if (phases.isEmpty() || !phases.get(phases.size() - 1).equals(words)) {
            phases.add(words);
        }
    }

    private static Seen seen(int requests, int failures) {
        return SampleSeen.of(
                SampleTally.of(requests, failures, Duration.ofMillis(20), Duration.ofMillis(300)), Duration.ZERO);
    }
}
