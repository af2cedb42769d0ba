package io.sluice.spring.client;

import io.sluice.core.propagation.CarrierGetter;
import io.sluice.core.propagation.CarrierSetter;
import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.ColorsCodec;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.InternalHosts;
import io.sluice.spring.SluiceSettings;
import java.net.URI;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * What every request that leaves wears: the current tag with its colors, in place of whatever it wore, and nothing of ours
 * when it goes to others than our own hosts. A request that begins here, as in a job, enters its channels here.
 */
final class Outgoing {
    private final SingletonSupplier<Self> self;

    // Clients are made before settings and rules may be, so they ask at their first request.
    Outgoing(ObjectProvider<SluiceSettings> settings, ObjectProvider<RuleSource> rules) {
        self = SingletonSupplier.of(() -> new Self(settings.getIfAvailable(), rules.getIfAvailable()));
    }

    <C> void mark(
            C request,
            URI address,
            CarrierGetter<C> getter,
            CarrierSetter<C> setter,
            BiConsumer<? super C, String> remover) {
        remover.accept(request, TagCodec.HEADER);
        remover.accept(request, TagCodec.COLORS_HEADER);
        removeFromBaggage(request, getter, setter, remover);
        Self known = self.obtain();
        if (known.internalHosts().contain(address)) {
            TagCarrier.inject(known.colored(TagContext.current()), request, getter, setter);
        }
    }

    /** A tracer may have put there what came in. */
    private static <C> void removeFromBaggage(
            C request, CarrierGetter<C> getter, CarrierSetter<C> setter, BiConsumer<? super C, String> remover) {
        List<String> lines = getter.values(request, ColorsCodec.BAGGAGE);
        if (lines.isEmpty()) {
            return;
        }
        String others = ColorsCodec.baggageWith(ChannelColors.none(), lines);
        if (others == null) {
            remover.accept(request, ColorsCodec.BAGGAGE);
        } else {
            setter.set(request, ColorsCodec.BAGGAGE, others);
        }
    }

    private record Self(
            @Nullable SluiceSettings settings, @Nullable RuleSource rules) {
        InternalHosts internalHosts() {
            return settings == null ? InternalHosts.standard() : settings.internalHosts();
        }

        TrafficTag colored(TrafficTag tag) {
            return settings == null || rules == null ? tag : settings.colored(tag, rules.current());
        }
    }
}
