package io.sluice.core.routing;

import io.sluice.core.tag.TrafficTag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The instances that may serve a request, by the ladder: the wanted version, else stable, else none.
 *
 * @param instances all that may serve, in the order they came; empty only on {@link Rung#NONE}
 */
public record InstanceChoice<T>(List<T> instances, Rung rung) {
    public InstanceChoice {
        instances = List.copyOf(instances);
    }

    /**
     * Chooses. A pure function of its arguments.
     *
     * @param wanted the version asked for; {@code stable} for every request that is on no canary
     * @param instances all instances of the service
     * @param versionOf an instance's version in its metadata; null, empty and {@code stable} are all stable
     */
    public static <T> InstanceChoice<T> of(
            String wanted, List<T> instances, Function<? super T, @Nullable String> versionOf) {
        List<T> eligible = withVersion(wanted, instances, versionOf);
        if (!eligible.isEmpty()) {
            return new InstanceChoice<>(eligible, Rung.WANTED);
        }
        List<T> stable = withVersion(TrafficTag.STABLE_VERSION, instances, versionOf);
        return new InstanceChoice<>(stable, stable.isEmpty() ? Rung.NONE : Rung.FALLBACK_STABLE);
    }

    private static <T> List<T> withVersion(
            String wanted, List<T> instances, Function<? super T, @Nullable String> versionOf) {
        List<T> found = new ArrayList<>(instances.size());
        for (T instance : instances) {
            String version = versionOf.apply(instance);
            String effective = version == null || version.isEmpty() ? TrafficTag.STABLE_VERSION : version;
            if (effective.equals(wanted)) {
                found.add(instance);
            }
        }
        return found;
    }
}
