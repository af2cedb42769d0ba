package io.sluice.core.rule;

import io.sluice.core.decision.Percent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The traffic rules as one service sees them: what a middleware asks, and hears, about the channels in release.
 *
 * <pre>{@code
 * TrafficRules rules = new TrafficRules(source, "order");
 * if (rules.isMyChannelInRelease()) { ... rules.bluePercent() ... }
 * rules.listen(new ChannelListener() {
 *     public void onEnterAllGreen(Channel channel) { stopConsumingOnBlue(); }
 * });
 * }</pre>
 *
 * <p>Questions read memory only: they never throw or block, and before any rules are known the answer is "in no channel".
 * Two questions may be answered from two revisions; what must fit together is read from one {@link #myChannel()}.
 *
 * <p>Listeners are isolated: each has a thread of its own while there is something to tell, so one that blocks or throws,
 * whatever it throws, holds up neither another one nor the next rules. One that is behind hears the newest rules next,
 * and what it missed in between is told as one change. The first thing it hears is what holds when it is added, as the
 * change from a channel outside a release. A {@link RuleSource}'s own listeners are another thing: those are called before
 * the rules count as taken, and have to return at once.
 */
public final class TrafficRules implements AutoCloseable {
    private static final Logger LOG = System.getLogger(TrafficRules.class.getName());
    private static final Percent HALF = Percent.of(50);
    private static final long IDLE_SECONDS = 10;

    private final RuleSource source;
    private final String service;
    private final Supplier<Executor> executors;
    private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
    private final AtomicLong failedCalls = new AtomicLong();

    /**
     * The rules of a source, which stays the caller's to close.
     *
     * @param service the service that asks, by its name in the registry
     */
    public TrafficRules(RuleSource source, String service) {
        this(source, service, TrafficRules::newThread);
    }

    /** @param executors one for each listener, which runs one task after the other */
    TrafficRules(RuleSource source, String service, Supplier<Executor> executors) {
        this.source = Objects.requireNonNull(source, "source");
        this.service = Objects.requireNonNull(service, "service");
        this.executors = executors;
    }

    /** The channel of this service; empty when it is in none. */
    public Optional<Channel> myChannel() {
        return channelOf(service);
    }

    /** Whether this service's channel is in a blue-green release. */
    public boolean isMyChannelInRelease() {
        return isInRelease(service);
    }

    /** The channel of any service; empty when it is in none. */
    public Optional<Channel> channelOf(@Nullable String service) {
        return Optional.ofNullable(service == null ? null : source.current().channelOf(service));
    }

    /** Whether the channel of any service is in a blue-green release. */
    public boolean isInRelease(@Nullable String service) {
        Channel channel = service == null ? null : source.current().channelOf(service);
        return channel != null && channel.isInRelease();
    }

    /** The share of blue in this service's channel: 50 % outside a release, and in no channel. */
    public Percent bluePercent() {
        Channel channel = source.current().channelOf(service);
        return channel == null ? HALF : channel.bluePercent();
    }

    /** The share of blue in any channel, by the channel's id: 50 % outside a release, and of a channel there is not. */
    public Percent bluePercentOf(@Nullable String channel) {
        for (Channel each : source.current().channels()) {
            if (each.id().equals(channel)) {
                return each.bluePercent();
            }
        }
        return HALF;
    }

    /** Tells a listener of this service's own channel, whichever that is. */
    public RuleSource.Subscription listen(ChannelListener listener) {
        return listen(listener, rules -> {
            Channel channel = rules.channelOf(service);
            return channel == null ? Map.of() : Map.of(channel.id(), channel);
        });
    }

    /** Tells a listener of every channel; channels that change together are told one after the other, by their ids. */
    public RuleSource.Subscription listenToAll(ChannelListener listener) {
        return listen(listener, rules -> {
            Map<String, Channel> channels = new TreeMap<>();
            rules.channels().forEach(channel -> channels.put(channel.id(), channel));
            return channels;
        });
    }

    private RuleSource.Subscription listen(ChannelListener listener, Function<RuleSet, Map<String, Channel>> view) {
        Delivery delivery = new Delivery(Objects.requireNonNull(listener, "listener"), view, executors.get());
        deliveries.add(delivery);
        delivery.open();
        return delivery;
    }

    /** How many calls of listeners ended in an exception or an error. */
    public long failedCalls() {
        return failedCalls.get();
    }

    /** Ends all listening; questions are answered on. */
    @Override
    public void close() {
        deliveries.forEach(Delivery::close);
    }

    private static Executor newThread() {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "sluice-channel-listener");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** What one listener has heard, and what it is still to hear. */
    private final class Delivery implements RuleSource.Subscription {
        private final ChannelListener listener;
        private final Function<RuleSet, Map<String, Channel>> view;
        private final Executor executor;
        private final AtomicReference<@Nullable RuleSet> waiting = new AtomicReference<>();
        private volatile RuleSource.@Nullable Subscription subscription;
        private volatile boolean closed;

        /** Only the executor's task reads and writes it, and tasks run one after the other. */
        private Map<String, Channel> told = Map.of();

        Delivery(ChannelListener listener, Function<RuleSet, Map<String, Channel>> view, Executor executor) {
            this.listener = listener;
            this.view = view;
            this.executor = executor;
        }

        void open() {
            subscription = source.subscribe(this::offer);
            if (closed) {
                close(); // By the listener itself, which was told before it was known by what.
            }
        }

        private void offer(RuleSet rules) {
            if (waiting.getAndSet(rules) != null) {
                return; // The task that is under way will find these instead.
            }
            try {
                executor.execute(this::deliver);
            } catch (RuntimeException | Error noThread) {
                waiting.set(null); // So that the next rules try again.
                throw noThread;
            }
        }

        private void deliver() {
            RuleSet rules = waiting.getAndSet(null);
            if (rules == null) {
                return;
            }
            Map<String, Channel> now = view.apply(rules);
            List<ChannelEvent> events = ChannelEvent.between(told, now);
            told = now;
            events.forEach(this::tell);
        }

        private void tell(ChannelEvent event) {
            if (closed) {
                return;
            }
            try {
                event.tell(listener);
            } catch (Throwable failure) {
                failedCalls.incrementAndGet();
                LOG.log(
                        Level.WARNING,
                        "a listener failed on channel " + event.channel().id(),
                        failure);
            }
        }

        @Override
        public void close() {
            closed = true;
            deliveries.remove(this);
            RuleSource.Subscription open = subscription;
            if (open != null) {
                open.close();
            }
        }
    }
}
