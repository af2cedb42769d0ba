package io.sluice.dubbo;

import io.sluice.core.propagation.TagContext;
import io.sluice.core.routing.ColorChoice;
import io.sluice.core.routing.InstanceChoice;
import io.sluice.core.routing.Rung;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.utils.Holder;
import org.apache.dubbo.registry.client.InstanceAddressURL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.router.RouterSnapshotNode;
import org.apache.dubbo.rpc.cluster.router.state.AbstractStateRouter;
import org.apache.dubbo.rpc.cluster.router.state.BitList;
import org.jspecify.annotations.Nullable;

/**
 * Leaves of all providers those that may serve the call at hand: its color's while the channel is in release, else those of its
 * version, else the stable ones. With nobody left the call fails at once, and nobody is served by some other version.
 */
final class ChannelRouter<T> extends AbstractStateRouter<T> {
    private final Slot slot;

    ChannelRouter(URL url) {
        super(url);
        this.slot = Slot.of(url.getOrDefaultApplicationModel());
        setForce(true);
    }

    @Override
    @SuppressWarnings("NullAway") // Dubbo's arguments may be null where nothing is printed.
    protected BitList<Invoker<T>> doRoute(
            BitList<Invoker<T>> invokers,
            URL url,
            Invocation invocation,
            boolean needToPrintMessage,
            Holder<RouterSnapshotNode<T>> nodeHolder,
            Holder<String> messageHolder)
            throws RpcException {
        SluiceDubbo sluice = slot.get();
        if (sluice == null || invokers.isEmpty()) {
            return invokers;
        }
        RuleSet rules = sluice.rules();
        TrafficTag tag = invocation.get(CallerFilter.TAG) instanceof TrafficTag known
                ? known
                : sluice.completed(TagContext.current());
        List<Invoker<T>> eligible = new ArrayList<>(invokers.size());
        List<String> refusals = new ArrayList<>(0);
        byService(invokers).forEach((service, providers) -> {
            InstanceChoice<Invoker<T>> choice = choice(rules, tag, service, providers);
            eligible.addAll(choice.instances());
            if (choice.rung() == Rung.NONE) {
                refusals.add(refusal(rules, tag, service, providers.size()));
            }
        });
        if (eligible.isEmpty()) {
            invocation.put(CallerFilter.REFUSAL, String.join("; ", refusals));
        }
        if (needToPrintMessage && messageHolder != null) {
            messageHolder.set("tag " + tag + ", " + eligible.size() + " of " + invokers.size() + " may serve");
        }
        return eligible.size() == invokers.size() ? invokers : only(eligible, invokers);
    }

    /** An interface has one application behind it nearly always. */
    private static <T> Map<String, List<Invoker<T>>> byService(List<Invoker<T>> invokers) {
        Map<String, List<Invoker<T>>> found = new LinkedHashMap<>(4);
        for (Invoker<T> invoker : invokers) {
            String service = invoker.getUrl().getRemoteApplication();
            found.computeIfAbsent(service == null ? "" : service, first -> new ArrayList<>(invokers.size()))
                    .add(invoker);
        }
        return found;
    }

    private static <T> InstanceChoice<Invoker<T>> choice(
            RuleSet rules, TrafficTag tag, String service, List<Invoker<T>> providers) {
        Color wanted = rules.wantedColor(tag, service);
        return wanted == null
                ? InstanceChoice.of(rules.wantedVersion(tag, service), providers, ChannelRouter::versionOf)
                : ColorChoice.of(wanted, providers, ChannelRouter::colorOf);
    }

    private static String refusal(RuleSet rules, TrafficTag tag, String service, int providers) {
        Color wanted = rules.wantedColor(tag, service);
        return wanted == null
                ? "no provider of " + service + " may serve: wanted " + rules.wantedVersion(tag, service)
                        + ", and neither it nor stable is among " + providers
                : "no " + wanted.label() + " provider of " + service + " is among " + providers
                        + ", and the other color never serves while the channel is in release";
    }

    private static <T> BitList<Invoker<T>> only(List<Invoker<T>> eligible, BitList<Invoker<T>> invokers) {
        Set<Invoker<T>> kept = Collections.newSetFromMap(new IdentityHashMap<>());
        kept.addAll(eligible);
        BitList<Invoker<T>> left = invokers.clone();
        left.removeIf(invoker -> !kept.contains(invoker));
        return left;
    }

    private static @Nullable String colorOf(Invoker<?> invoker) {
        return metadata(invoker, InstanceMetadata.COLOR);
    }

    /** One with a color is never a canary. */
    private static @Nullable String versionOf(Invoker<?> invoker) {
        return colorOf(invoker) == null ? metadata(invoker, InstanceMetadata.VERSION) : null;
    }

    /** From the instance itself: a parameter of the same name in the caller's own settings would hide it. */
    private static @Nullable String metadata(Invoker<?> invoker, String name) {
        return invoker.getUrl() instanceof InstanceAddressURL address
                ? address.getInstance().getMetadata().get(name)
                : invoker.getUrl().getParameter(name);
    }
}
