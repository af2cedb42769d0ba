package io.sluice.core.routing;

import io.sluice.core.tag.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The instances of one color. A request that has a color in a channel is served by that color or by nobody: there is no
 * rung to fall back to, since the other side runs other code.
 */
public final class ColorChoice {
    private ColorChoice() {}

    /**
     * Chooses. A pure function of its arguments.
     *
     * @param wanted the color asked for; null when any will do, and then all are eligible
     * @param instances all instances of the service
     * @param colorOf an instance's color in its metadata, {@code blue} or {@code green}; anything else is none
     */
    public static <T> InstanceChoice<T> of(
            @Nullable Color wanted, List<T> instances, Function<? super T, @Nullable String> colorOf) {
        List<T> eligible = instances;
        if (wanted != null) {
            eligible = new ArrayList<>(instances.size());
            for (T instance : instances) {
                if (wanted.label().equals(colorOf.apply(instance))) {
                    eligible.add(instance);
                }
            }
        }
        return new InstanceChoice<>(eligible, eligible.isEmpty() ? Rung.NONE : Rung.WANTED);
    }
}
