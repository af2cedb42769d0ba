package io.sluice.core.channel;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.SampleSeen;
import io.sluice.core.guard.Seen;
import io.sluice.core.observation.SampleTally;
import io.sluice.core.observation.Tally;
import io.sluice.core.release.Command;
import io.sluice.core.release.CommandRefusedException;
import io.sluice.core.release.Expected;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Policy;
import io.sluice.core.release.SampleRelease;
import io.sluice.core.release.Subject;
import io.sluice.core.routing.ColorChoice;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One release of a channel in a small world, half a second at a time: two gateways, two instances of each color of two
 * services, a service in another channel; requests that take their time; processes that hear of rules late, are cut off,
 * die and come back; registries that callers know from a while ago; a deployer of every temper; a controller that dies
 * between any two of its steps, a second one that sleeps in the middle of a look; and operators who say what they like. The
 * same seed gives the same world. What must never be is a {@link Violation}.
 */
final class ChannelWorld {
    static final Duration TICK = Duration.ofMillis(500);

    private static final Instant START = Instant.parse("2026-10-01T00:00:00Z");
    private static final int LONGEST_VIEW = 5;
    private static final Tally GOOD = SampleTally.of(100, 0, Duration.ofMillis(20), Duration.ofMillis(300));
    private static final Tally FEW = SampleTally.of(10, 0, Duration.ofMillis(20), Duration.ofMillis(300));
    private static final Tally BAD = SampleTally.of(100, 6, Duration.ofMillis(20), Duration.ofMillis(300));
    private static final Seen SEEN_GOOD = SampleSeen.of(GOOD, Duration.ZERO);
    private static final Seen SEEN_FEW = SampleSeen.of(FEW, Duration.ZERO);
    private static final Seen SEEN_BAD = SampleSeen.of(BAD, Duration.ZERO);
    private static final List<String> STEPS = List.of("collect", "judge", "ask", "step", "save", "publish", "record");
    private static final Channel OTHER = Channel.of("stock", List.of("stock"));

    private final Random random;
    private final Planted planted;
    private final boolean calm;
    private final ChannelReleaseSpec spec;
    private final Map<String, Proc> procs = new LinkedHashMap<>();
    private final Map<String, Workload> reports = new LinkedHashMap<>();
    private final Map<String, Integer> reportedAt = new HashMap<>();
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private final List<Request> requests = new ArrayList<>();
    private final Saved store = new Saved();
    private RuleSet latest = RuleSet.of(0, 1, List.of(), List.of(Channel.of("trade", SampleChannel.SERVICES), OTHER));
    private ChannelOrchestrator first;
    private final ChannelOrchestrator second;
    private int now;
    private boolean busy;
    private boolean sleeper;
    private int lastFault = -1_000;
    private long goneBackAt = Long.MAX_VALUE;
    private boolean greenBegun;

    int served;
    final Set<String> phases = new HashSet<>();

    /** Something happened that must never happen. */
    static final class Violation extends AssertionError {
        private static final long serialVersionUID = 1L;

        Violation(String what) {
            super(what);
        }
    }

    ChannelWorld(long seed, Planted planted) {
        this.random = new Random(seed * 0x9e3779b97f4a7c15L);
        this.planted = planted;
        this.calm = random.nextInt(10) < 4;
        Check check = random.nextBoolean() ? Check.MANUAL : new Check(URI.create("http://127.0.0.1/health"));
        Policy policy = random.nextBoolean() ? Policy.DEFAULT : SampleRelease.steppingBack(2);
        this.spec = SampleChannel.spec(policy, check, Map.of());
        add("gateway", null, 2);
        add("order", Color.BLUE, 2);
        add("order", Color.GREEN, 2);
        add("user", Color.BLUE, 2);
        add("user", Color.GREEN, 2);
        add("stock", Color.BLUE, 1);
        this.first = controller();
        this.second = controller();
        procs.values().forEach(this::refreshView);
        procs.values().forEach(this::report);
    }

    /** Runs until the release is over and a while longer, or for so many ticks. */
    ChannelRelease run(int ticks) {
        first.create(spec, "alice", "");
        int after = 0;
        for (int i = 0; i < ticks && after < 12; i++) {
            tick();
            after += release().phase().isOver() ? 1 : 0;
        }
        checkEnd();
        return release();
    }

    ChannelRelease release() {
        return store.find("r1").orElseThrow();
    }

    private void tick() {
        now++;
        faults();
        procs.values().forEach(this::hear);
        jobs.values().forEach(this::work);
        traffic();
        for (Proc proc : procs.values()) {
            if (proc.running && !proc.isCut() && (random.nextInt(3) > 0 || now - reportedAt.get(proc.name) >= 4)) {
                report(proc);
            }
        }
        operate();
        control();
    }

    // ---- Processes

    private static final class Proc {
        final String name;
        final String service;
        final Color color;
        String version = "v1";
        boolean running = true;
        boolean ready = true;
        boolean registered = true;
        boolean killed;
        int backAt;
        int cutUntil;
        int now;
        long requests;
        int underWay;
        RuleSet rules;
        final Map<String, List<Proc>> view = new HashMap<>();
        int viewedAt;

        Proc(String name, String service, Color color, RuleSet rules) {
            this.name = name;
            this.service = service;
            this.color = color;
            this.rules = rules;
        }

        boolean isCut() {
            return now < cutUntil;
        }

        boolean isClosed() {
            Channel channel = rules.channelOf(service);
            return channel != null && channel.isClosed(color, name);
        }
    }

    private void add(String service, Color color, int instances) {
        for (int i = 1; i <= instances; i++) {
            String name = service + (color == null ? "" : "-" + color.label()) + "@10.0.0." + i + ":80";
            procs.put(name, new Proc(name, service, color, latest));
        }
    }

    private void faults() {
        for (Proc proc : procs.values()) {
            proc.now = now;
            if (proc.killed && now >= proc.backAt) {
                proc.killed = false;
                start(proc);
            }
            if (calm || proc.killed || !proc.running) {
                continue;
            }
            if (random.nextInt(1_500) == 0) {
                lastFault = now;
                stop(proc);
                proc.killed = true;
                proc.backAt = now + 3 + random.nextInt(12);
            } else if (random.nextInt(700) == 0) {
                proc.cutUntil = now + 1 + random.nextInt(40);
            }
        }
    }

    private void stop(Proc proc) {
        proc.running = false;
        proc.ready = false;
        proc.registered = false;
        proc.underWay = 0;
        proc.requests = 0;
        requests.removeIf(request -> request.at(proc));
    }

    /** It is not ready before it has read the rules, or has what it kept of them. */
    private void start(Proc proc) {
        proc.running = true;
        proc.ready = true;
        if (!proc.isCut()) {
            proc.rules = latest;
        }
        proc.registered = !proc.isClosed();
        refreshView(proc);
    }

    private void hear(Proc proc) {
        if (proc.running && !proc.isCut() && latest.isNewerThan(proc.rules) && random.nextInt(10) < 7) {
            proc.rules = latest;
            proc.registered = proc.ready && !proc.isClosed();
        }
        if (now - proc.viewedAt >= LONGEST_VIEW || random.nextBoolean()) {
            refreshView(proc);
        }
    }

    private void refreshView(Proc proc) {
        proc.viewedAt = now;
        proc.view.clear();
        for (Proc each : procs.values()) {
            if (each.registered) {
                proc.view
                        .computeIfAbsent(each.service, any -> new ArrayList<>())
                        .add(each);
            }
        }
    }

    private void report(Proc proc) {
        reportedAt.put(proc.name, now);
        reports.put(
                proc.name,
                new Workload(
                        proc.service,
                        proc.name,
                        proc.color,
                        proc.version,
                        proc.ready,
                        proc.registered,
                        proc.requests,
                        proc.underWay,
                        0,
                        proc.rules.epoch(),
                        proc.rules.revision(),
                        "",
                        Duration.ZERO));
    }

    private List<Workload> workloads() {
        List<Workload> all = new ArrayList<>();
        reports.forEach((name, seen) -> all.add(planted.seen(new Workload(
                seen.service(),
                name,
                seen.color(),
                seen.version(),
                seen.ready(),
                seen.registered(),
                seen.requests(),
                seen.underWay(),
                0,
                0,
                seen.revision(),
                "",
                TICK.multipliedBy(now - reportedAt.get(name))))));
        return all;
    }

    // ---- Requests

    private static final class Request {
        final List<Proc> path = new ArrayList<>();
        final Set<String> versions = new HashSet<>();
        TrafficTag tag;
        int due;

        boolean at(Proc proc) {
            return path.contains(proc);
        }
    }

    private void traffic() {
        for (int i = random.nextInt(3); i > 0; i--) {
            enter();
        }
        for (Request request : List.copyOf(requests)) {
            if (now >= request.due && requests.contains(request)) {
                goOn(request);
            }
        }
    }

    private void enter() {
        List<Proc> doors = procs.values().stream()
                .filter(each -> each.service.equals("gateway") && each.running)
                .toList();
        if (doors.isEmpty()) {
            return;
        }
        Proc door = doors.get(random.nextInt(doors.size()));
        Request request = new Request();
        // Never without one: the flow places those by a chance that no seed rules.
        String customer = random.nextInt(3) == 0 ? "once-" + random.nextLong() : "c" + random.nextInt(60);
        request.tag = door.rules.colored(new TrafficTag(customer, "", List.of()), "gateway", null);
        Color color = request.tag.colors().in("trade");
        if (color == Color.BLUE && door.rules.revision() >= goneBackAt) {
            throw new Violation("blue after an abort: a new request got blue");
        }
        arrive(request, door);
        requests.add(request);
        goOn(request);
    }

    private void goOn(Request request) {
        Proc at = request.path.get(request.path.size() - 1);
        String next =
                switch (at.service) {
                    case "gateway" -> "order";
                    case "order" -> random.nextInt(4) == 0 ? "stock" : "user";
                    default -> "";
                };
        if (next.isEmpty()) {
            request.path.forEach(proc -> proc.underWay--);
            requests.remove(request);
            served++;
            return;
        }
        request.tag = at.rules.colored(request.tag, at.service, at.color);
        List<Proc> known = at.view.getOrDefault(next, List.of());
        Color wanted = at.rules.wantedColor(request.tag, next);
        List<Proc> eligible = ColorChoice.of(wanted, known, proc -> proc.color == null ? null : proc.color.label())
                .instances();
        if (eligible.isEmpty()) {
            lose(request, "nobody there: " + at.name + " found no " + wanted + " instance of " + next);
            return;
        }
        Proc to = eligible.get(random.nextInt(eligible.size()));
        if (!to.running) {
            lose(request, "nobody there: " + at.name + " called " + to.name + ", which does not run");
            return;
        }
        Color own = request.tag.colors().in("trade");
        if (at.rules.channelOf(next).isInRelease() && own != null && own != to.color) {
            throw new Violation("colors mix: " + own + " was served by " + to.name);
        }
        arrive(request, to);
    }

    private void arrive(Request request, Proc proc) {
        request.path.add(proc);
        proc.requests++;
        proc.underWay++;
        request.due = now + random.nextInt(2);
        if (SampleChannel.SERVICES.contains(proc.service)) {
            request.versions.add(proc.version);
            if (request.versions.size() > 1) {
                throw new Violation("versions mix: one request met " + request.versions);
            }
        }
    }

    /** A death may cost requests for as long as callers do not know of it. */
    private void lose(Request request, String why) {
        request.path.forEach(proc -> proc.underWay--);
        requests.remove(request);
        boolean excused = now - lastFault <= 40 || procs.values().stream().anyMatch(proc -> proc.killed);
        if (!excused) {
            throw new Violation(why);
        }
    }

    // ---- The deployer

    private enum Temper {
        QUICK,
        SLOW,
        FAILS,
        HANGS,
        HUMAN
    }

    private static final class Job {
        final Deployer.Order order;
        final Temper temper;
        final List<Proc> todo;
        Proc doing;
        int due;
        int begun;
        boolean superseded;
        Deployer.Progress progress = new Deployer.Progress.Running("at work");

        Job(Deployer.Order order, Temper temper, List<Proc> todo, int begun) {
            this.order = order;
            this.temper = temper;
            this.todo = todo;
            this.begun = begun;
            this.due = begun + 1;
        }

        boolean isDone() {
            return progress instanceof Deployer.Progress.Done;
        }
    }

    private Deployer.Progress deploy(Deployer.Order order) {
        String key = planted.key(order.key(), now);
        Job known = jobs.get(key);
        if (known != null) {
            if (!known.order.targets().equals(order.targets())) {
                throw new Violation("one key, two orders: " + order.key());
            }
            return known.temper == Temper.HUMAN ? new Deployer.Progress.WaitsForHuman("deploy") : known.progress;
        }
        List<Proc> todo = new ArrayList<>();
        for (Deployer.Target target : order.targets()) {
            procs.values().stream()
                    .filter(each -> each.service.equals(target.service()) && each.color == target.color())
                    .forEach(todo::add);
        }
        for (Job other : jobs.values()) {
            if (!other.isDone() && !other.superseded && other.todo.stream().anyMatch(todo::contains)) {
                if (other.order.key().equals(order.key())) {
                    throw new Violation("two at work for one order: " + order.key());
                }
                other.superseded = true;
                finishDoing(other);
            }
        }
        int attempt = Integer.parseInt(order.key().substring(order.key().lastIndexOf('/') + 1));
        Temper temper = attempt > 1 || random.nextInt(10) < 5
                ? Temper.QUICK
                : Temper.values()[random.nextInt(Temper.values().length)];
        jobs.put(key, new Job(order, temper, todo, now));
        return temper == Temper.HUMAN
                ? new Deployer.Progress.WaitsForHuman("deploy")
                : new Deployer.Progress.Running("at work");
    }

    private void work(Job job) {
        if (job.superseded || job.isDone() || now < job.due) {
            return;
        }
        if (job.temper == Temper.FAILS) {
            job.progress = new Deployer.Progress.Failed("no image");
            return;
        }
        // One that hangs is mended by somebody long after its deadline.
        if (job.temper == Temper.HANGS && now - job.begun < 80) {
            return;
        }
        finishDoing(job);
        List<Proc> left = job.todo.stream()
                .filter(proc -> !proc.killed && !proc.version.equals(version(job, proc)))
                .toList();
        if (left.isEmpty()) {
            job.progress = new Deployer.Progress.Done();
            return;
        }
        Proc proc = left.get(0);
        if (proc.underWay > 0) {
            throw new Violation("stopped under a request: " + proc.name);
        }
        stop(proc);
        proc.version = version(job, proc);
        job.doing = proc;
        job.due = now + (job.temper == Temper.SLOW ? 6 : 1 + random.nextInt(2));
    }

    private void finishDoing(Job job) {
        if (job.doing != null && !job.doing.killed) {
            start(job.doing);
        }
        job.doing = null;
    }

    private static String version(Job job, Proc proc) {
        return job.order.targets().stream()
                .filter(target -> target.service().equals(proc.service))
                .map(Deployer.Target::version)
                .findFirst()
                .orElseThrow();
    }

    // ---- Operators

    private void operate() {
        ChannelRelease release = release();
        ChannelPhase phase = release.phase();
        if (phase instanceof ChannelPhase.Draft) {
            command(Command.START);
        } else if (phase instanceof ChannelPhase.Paused && random.nextInt(6) == 0) {
            command(Command.RESUME);
        } else if (isForHumans(release) && random.nextInt(5) == 0) {
            command(Command.PROMOTE);
        } else if (random.nextInt(120) == 0) {
            command(Command.PAUSE);
        } else if (random.nextInt(200) == 0) {
            command(Command.BACK);
        } else if (random.nextInt(250) == 0) {
            command(Command.ABORT);
        }
    }

    /** What waits for a human; operators of this world do not hurry what waits for something else. */
    private boolean isForHumans(ChannelRelease release) {
        ChannelPhase phase = release.phase();
        if (phase.at() instanceof ChannelPhase.Deploying) {
            return release.order().map(order -> jobs.get(order.key())).stream()
                    .anyMatch(job -> job.temper == Temper.HUMAN && job.isDone());
        }
        return phase instanceof ChannelPhase.Returned
                || phase.at() instanceof ChannelPhase.Admitting
                || spec.check().isManual()
                        && (phase.at() instanceof ChannelPhase.Verifying
                                || phase.at() instanceof ChannelPhase.Confirming);
    }

    private void command(Command command) {
        ChannelRelease before = release();
        boolean isPast = greenBegun && !before.phase().isOver();
        try {
            Expected seen = new Expected(null, before.phase().at().label());
            first.command("r1", command, "alice", "", seen);
            planted.commanded(command, before, this::force);
            if (command == Command.ABORT && isPast && !release().equals(before)) {
                throw new Violation("abort after the point of no return");
            }
        } catch (CommandRefusedException refused) {
            planted.commanded(command, before, this::force);
            if (command == Command.ABORT && isPast && !refused.getMessage().startsWith(WayBack.REFUSED)) {
                throw new Violation("abort refused without NO_WAY_BACK: " + refused.getMessage());
            }
        }
    }

    private void force(ChannelRelease next) {
        store.check(release(), next);
        store.put(next, List.of());
        publish();
    }

    // ---- Controllers

    private ChannelOrchestrator controller() {
        int bootedAt = now;
        return new ChannelOrchestrator(
                store,
                this::workloads,
                this::evidence,
                Map.of("works", this::deploy),
                (release, url) -> new Verification.Answer(random.nextInt(4) > 0, "503"),
                this::publish,
                () -> START.plusSeconds(random.nextInt(10_000)),
                () -> TICK.multipliedBy(now - bootedAt).toNanos());
    }

    private Map<String, Seen> evidence(Subject subject) {
        Map<String, Seen> seen = new HashMap<>();
        for (String service : subject.services()) {
            int luck = random.nextInt(400);
            seen.put(service, luck == 0 ? SEEN_BAD : luck < 20 ? SEEN_FEW : SEEN_GOOD);
        }
        return seen;
    }

    private void publish() {
        if (latest.revision() == store.published().revision()) {
            return;
        }
        Optional<Flow> flow = store.open().stream()
                .map(ChannelRelease::flow)
                .flatMap(Optional::stream)
                .findFirst();
        Channel trade = new Channel("trade", SampleChannel.SERVICES, flow.orElse(null), Set.of());
        latest = RuleSet.of(0, store.published().revision(), List.of(), List.of(trade, OTHER));
    }

    /** The first one may die in the middle of a look; the second may sleep there, and the world goes on. */
    private void control() {
        if (!busy && random.nextInt(12) == 0) {
            busy = true;
            sleeper = true;
            second.look();
            sleeper = false;
            busy = false;
            return;
        }
        String dies = random.nextInt(25) == 0 ? STEPS.get(random.nextInt(STEPS.size())) : "";
        Cut cut = new Cut(dies);
        first.look(cut);
        if (cut.died) {
            first = controller();
        }
    }

    private static final class Cut implements Predicate<String> {
        private final String before;
        private boolean died;

        Cut(String before) {
            this.before = before;
        }

        @Override
        public boolean test(String step) {
            died = died || step.equals(before);
            return !died;
        }
    }

    /** The store, where the second controller may fall asleep, and where each saved state is checked. */
    private final class Saved extends InMemoryChannelStore {
        @Override
        public Optional<ChannelRelease> find(String id) {
            sleep();
            return super.find(id);
        }

        @Override
        public boolean save(ChannelRelease next, List<JournalEntry> entries) {
            sleep();
            ChannelRelease before = super.find(next.id()).orElseThrow();
            ChannelRelease planned = planted.saved(before, next);
            if (planted == Planted.NO_COMPARE_AND_SET) {
                check(before, planned);
                put(planned, entries);
                return true;
            }
            if (before.revision() + 1 == planned.revision()) {
                check(before, planned);
            }
            return super.save(planned, entries);
        }

        private void sleep() {
            if (!sleeper || random.nextInt(3) > 0) {
                return;
            }
            sleeper = false;
            for (int i = random.nextInt(40); i > 0; i--) {
                tick();
            }
            sleeper = true;
        }

        private void check(ChannelRelease before, ChannelRelease after) {
            phases.add(after.phase().at().words());
            if (planted.checksOrder()) {
                Order.check(before, after, spec);
            }
            if (greenBegun && after.isRestoring()) {
                throw new Violation("abort after the point of no return");
            }
            greenBegun |=
                    after.phase().at() instanceof ChannelPhase.Deploying deploying && deploying.side() == Color.GREEN;
            checkShares(before, after);
            boolean isBlueOut = after.isRestoring()
                    && after.bluePercent().equals(Percent.ZERO)
                    && after.flow().isPresent();
            if (isBlueOut && goneBackAt == Long.MAX_VALUE) {
                goneBackAt = published().revision() + 1;
            }
            if (after.phase().isOver()) {
                goneBackAt = Long.MAX_VALUE;
            }
        }

        private void checkShares(ChannelRelease before, ChannelRelease after) {
            Percent blue = after.bluePercent();
            List<Percent> planned =
                    List.of(Percent.ZERO, Percent.of(10), Percent.of(50), Percent.of(75), Percent.HUNDRED);
            if (!planned.contains(blue)) {
                throw new Violation("a share outside the plan: " + blue);
            }
            int was = before.bluePercent().basisPoints();
            int is = blue.basisPoints();
            if (calm && is != was) {
                Color more = is > was ? Color.BLUE : Color.GREEN;
                procs.values().stream()
                        .filter(proc -> proc.color == more && SampleChannel.SERVICES.contains(proc.service))
                        .filter(proc -> !proc.running || !proc.ready || !proc.registered)
                        .findFirst()
                        .ifPresent(proc -> {
                            throw new Violation(
                                    "weight before ready: " + more + " got more while " + proc.name + " was not there");
                        });
            }
        }
    }

    private void checkEnd() {
        ChannelPhase phase = release().phase();
        if (!phase.isOver() || !calm) {
            return;
        }
        String expected = phase instanceof ChannelPhase.Completed ? "v2" : "v1";
        procs.values().stream()
                .filter(proc -> SampleChannel.SERVICES.contains(proc.service))
                .filter(proc -> !proc.version.equals(expected))
                .findFirst()
                .ifPresent(proc -> {
                    throw new Violation(
                            "wrong at the end: " + proc.name + " runs " + proc.version + " when " + phase.label());
                });
        Channel trade = latest.channelOf("order");
        if (trade.isInRelease() || !trade.bluePercent().equals(Percent.of(50))) {
            throw new Violation("wrong at the end: the channel is not released");
        }
    }

    /** Which phase may follow which, written down a second time. */
    private static final class Order {
        static void check(ChannelRelease before, ChannelRelease after, ChannelReleaseSpec spec) {
            ChannelPhase was = before.phase();
            ChannelPhase is = after.phase();
            if (was.isOver()) {
                throw new Violation("phases skip: after " + was.words() + " came " + is.words());
            }
            if (before.isRestoring()) {
                boolean isAbsorbed = after.isRestoring() || is instanceof ChannelPhase.Aborted;
                if (!isAbsorbed) {
                    throw new Violation("phases skip: forward again, " + is.words());
                }
                return;
            }
            if (after.isRestoring() || is instanceof ChannelPhase.Aborted) {
                return;
            }
            int from = rank(was.at());
            int to = rank(is.at());
            boolean isBack =
                    is instanceof ChannelPhase.Paused && is.at() instanceof ChannelPhase.Admitting && to == from - 1;
            boolean skipsVerifying = spec.check().isManual() && from == 12 && to == 14;
            if (to != from && to != from + 1 && !isBack && !skipsVerifying) {
                throw new Violation("phases skip: after " + was.words() + " came " + is.words());
            }
        }

        private static int rank(ChannelPhase at) {
            if (at instanceof ChannelPhase.Draining draining) {
                return (draining.side() == Color.BLUE ? 1 : 10) + (draining.leaving() ? 1 : 0);
            }
            if (at instanceof ChannelPhase.Deploying deploying) {
                return deploying.side() == Color.BLUE ? 3 : 12;
            }
            if (at instanceof ChannelPhase.Verifying verifying) {
                return verifying.side() == Color.BLUE ? 4 : 13;
            }
            if (at instanceof ChannelPhase.Opening opening) {
                return opening.side() == Color.BLUE ? 5 : 14;
            }
            if (at instanceof ChannelPhase.Admitting admitting) {
                return (admitting.side() == Color.BLUE ? 6 : 15) + admitting.stage();
            }
            if (at instanceof ChannelPhase.Confirming) {
                return 9;
            }
            return at instanceof ChannelPhase.Completed ? 17 : 0;
        }
    }
}
