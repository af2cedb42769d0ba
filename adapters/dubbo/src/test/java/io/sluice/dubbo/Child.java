package io.sluice.dubbo;

import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import io.sluice.wire.RuleSetJson;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A process of its own with Dubbo applications: {@code provider} has b, which calls c and d, and c, which calls d; {@code caller} has a
 * with Sluice, {@code stranger} has a without. Each line of its input is an order, answered by one line; it ends with its input.
 */
public final class Child {
    static final String CHANNEL = "app";
    static final List<Assignment> ASSIGNMENTS = List.of(new Assignment("release-1", "v2"));

    private static final Semaphore HELD = new Semaphore(0);

    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final Map<String, TestApplication> applications = new LinkedHashMap<>();
    private final Map<String, SluiceDubbo> installed = new LinkedHashMap<>();
    private final Map<String, AtomicLong> tallies = new ConcurrentHashMap<>();
    private final List<Thread> load = new ArrayList<>();
    private final AtomicLong slowest = new AtomicLong();
    private volatile boolean loading;
    private CompletableFuture<String> begun = CompletableFuture.completedFuture("");

    public static void main(String[] args) throws IOException {
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        Child child = new Child();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        child.take(orders.readLine().split(" ", 2)[1]);
        child.start(args);
        System.out.println("@ready");
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            String[] words = order.split(" ", 2);
            System.out.println("@" + child.answer(words[0], words.length > 1 ? words[1] : ""));
        }
        Runtime.getRuntime().halt(0);
    }

    /** @param args kind, registry, protocol, delay of the registry's news, color, number */
    private void start(String... args) {
        if (args[0].equals("provider")) {
            for (String service : List.of("b", "c", "d")) {
                TestApplication application = new TestApplication(service, args[1], args[2], args[3]);
                String name = service + "/" + args[4] + "/" + args[5];
                Self self = new Self(service, "v1", Color.parse(args[4]), service + "@127.0.0.1:" + application.port());
                installed.put(service, application.install(rules, self));
                List.of("c", "d").stream()
                        .filter(each -> each.compareTo(service) > 0)
                        .forEach(application::refer);
                application.serve(service, new Station(name, application));
                applications.put(service, application);
            }
        } else {
            if (args[0].equals("stranger")) {
                // As docs/dubbo.md says: it has nothing of ours that keeps calls from falling back while all weights
                // change.
                System.setProperty("dubbo.application.service-discovery.migration", "FORCE_APPLICATION");
            }
            TestApplication application = new TestApplication("a", args[1], args[2], args[3]).refer("b");
            if (args[0].equals("caller")) {
                installed.put("a", application.install(rules, new Self("a", "stable", null, "a@127.0.0.1:1")));
            }
            applications.put("a", application);
        }
        applications.values().forEach(TestApplication::start);
    }

    private String answer(String order, String rest) {
        try {
            return switch (order) {
                case "rules" -> take(rest);
                case "weights" -> applications.get("a").known("b").toString();
                case "known" -> known();
                case "registered" -> registered();
                case "served" -> served();
                case "leaks" -> String.valueOf(LeakWatch.LEAKS.get());
                case "go" -> go(Integer.parseInt(rest));
                case "hold" -> String.valueOf(HELD.drainPermits());
                case "visit" -> visit(rest.split(" ")[0], rest.split(" ")[1]);
                case "begin" -> begin(rest.split(" ")[0], rest.split(" ")[1]);
                case "answer" -> begun.join();
                case "later" -> later(rest.split(" ")[0], rest.split(" ")[1]);
                case "calls" -> calls(Integer.parseInt(rest));
                case "load" -> startLoad(Integer.parseInt(rest.split(" ")[0]), rest.split(" ")[1]);
                case "end" -> endLoad();
                case "slowest" -> slowest.getAndSet(0) + " ms";
                default -> "unknown order " + order;
            };
        } catch (RuntimeException failure) {
            return "failed: " + failure.getMessage().replace('\n', ' ');
        }
    }

    private String take(String json) {
        return rules.offer(RuleSetJson.read(json.getBytes(StandardCharsets.UTF_8)))
                .toString();
    }

    private String go(int permits) {
        HELD.release(permits);
        return "ok";
    }

    /** What its applications know of all that they call, each answer once. */
    private String known() {
        return applications.values().stream()
                .flatMap(TestApplication::known)
                .map(String::valueOf)
                .collect(Collectors.toCollection(TreeSet::new))
                .toString();
    }

    private String registered() {
        StringJoiner joined = new StringJoiner(" ");
        installed.forEach((service, sluice) -> joined.add(service + "=" + sluice.isRegistered()));
        return joined.toString();
    }

    /** Begun, under way and crossed, of all applications together. */
    private String served() {
        long begun = installed.values().stream()
                .mapToLong(each -> each.served().begun())
                .sum();
        long underWay = installed.values().stream()
                .mapToLong(each -> each.served().underWay())
                .sum();
        long crossed = installed.values().stream()
                .mapToLong(each -> each.served().crossed())
                .sum();
        return begun + " " + underWay + " " + crossed;
    }

    private String visit(String customer, String route) {
        return inTag(customer, () -> applications.get("a").of("b").visit(dashless(route)));
    }

    /** A visit that this process does not wait for, until it is asked for the answer. */
    private String begin(String customer, String route) {
        begun = CompletableFuture.supplyAsync(() -> visit(customer, route));
        return "ok";
    }

    private String later(String customer, String route) {
        return inTag(
                customer,
                () -> applications.get("a").of("b").visitLater(dashless(route)).join());
    }

    private static String dashless(String route) {
        return route.equals("-") ? "" : route;
    }

    private static String inTag(String customer, Supplier<String> call) {
        if (customer.equals("-")) {
            return call.get();
        }
        try (Scope scope = TagContext.with(new TrafficTag(customer, CHANNEL, ASSIGNMENTS))) {
            return call.get();
        }
    }

    /** So many calls of b by four threads; how many each color served. */
    private String calls(int number) {
        tallies.clear();
        AtomicLong left = new AtomicLong(number);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                while (left.getAndDecrement() > 0) {
                    call("");
                }
            });
            thread.start();
            threads.add(thread);
        }
        threads.forEach(Child::join);
        return tallies();
    }

    private String startLoad(int threads, String route) {
        tallies.clear();
        loading = true;
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                while (loading) {
                    call(dashless(route));
                }
            });
            thread.start();
            load.add(thread);
        }
        return "ok";
    }

    private String endLoad() {
        loading = false;
        load.forEach(Child::join);
        load.clear();
        return tallies();
    }

    private void call(String route) {
        long start = System.nanoTime();
        try {
            String trace = applications.get("a").of("b").visit(route);
            boolean blue = trace.contains("/blue/");
            boolean green = trace.contains("/green/");
            count(blue && green ? "mixed" : blue ? "blue" : "green");
        } catch (RuntimeException failure) {
            count("failed");
            count("failed:"
                    + String.valueOf(failure.getMessage()).replace('\n', ' ').replace(", ", "; "));
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        slowest.accumulateAndGet(millis, Math::max);
    }

    private void count(String what) {
        tallies.computeIfAbsent(what, first -> new AtomicLong()).incrementAndGet();
    }

    private String tallies() {
        return new TreeMap<>(tallies).toString();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Serves, and calls on. */
    private record Station(String name, TestApplication application) implements Hop {
        @Override
        public String visit(String route) {
            StringBuilder trace = new StringBuilder(name).append('(');
            for (String next : parts(route)) {
                if (next.equals(HOLD)) {
                    HELD.acquireUninterruptibly();
                } else if (next.equals(TAG)) {
                    trace.append(TagContext.current());
                } else {
                    String[] hop = next.split(">", 2);
                    trace.append(application.of(hop[0]).visit(hop.length > 1 ? hop[1] : ""))
                            .append(' ');
                }
            }
            return trace.append(')').toString();
        }

        @Override
        public CompletableFuture<String> visitLater(String route) {
            CompletableFuture<String> trace = CompletableFuture.completedFuture("");
            for (String next : parts(route)) {
                String[] hop = next.split(">", 2);
                trace = trace.thenCompose(before -> application
                        .of(hop[0])
                        .visitLater(hop.length > 1 ? hop[1] : "")
                        .thenApply(answer -> before + answer + " "));
            }
            return trace.thenApply(all -> name + "(" + all + ")");
        }

        private static List<String> parts(String route) {
            return route.isEmpty() ? List.of() : List.of(route.split(","));
        }
    }
}
