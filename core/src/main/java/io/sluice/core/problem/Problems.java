package io.sluice.core.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects problems so that the user sees all of them at once. Used by one thread, thrown away afterwards.
 *
 * <pre>{@code
 * Problems problems = new Problems();
 * problems.require(stages.size() > 0, "stages", "empty", "must have at least one stage");
 * problems.throwIfAny();
 * }</pre>
 */
public final class Problems {
    private final List<Problem> found = new ArrayList<>();

    public void add(String path, String was, String allowed) {
        found.add(new Problem(path, was, allowed));
    }

    public void require(boolean holds, String path, Object was, String allowed) {
        if (!holds) {
            add(path, String.valueOf(was), allowed);
        }
    }

    /**
     * Builds a part of the whole; what the part refuses is noted under {@code path}.
     *
     * @return the part, or null when it was refused
     */
    public <T> @Nullable T part(String path, Supplier<T> part) {
        try {
            return part.get();
        } catch (RefusedException refused) {
            refused.problems().forEach(problem -> found.add(problem.under(path)));
            return null;
        }
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    public List<Problem> all() {
        return List.copyOf(found);
    }

    /** Ends the set-up when anything was found. */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw new RefusedException(found);
        }
    }
}
