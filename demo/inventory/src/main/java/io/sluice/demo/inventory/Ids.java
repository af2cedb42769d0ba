package io.sluice.demo.inventory;

import io.sluice.core.problem.Problems;
import io.sluice.migration.plan.Keys;
import io.sluice.migration.plan.Side;
import org.jspecify.annotations.Nullable;

/**
 * Ids of operations and the mark of the new side.
 *
 * <p>The answer of a reservation that the new side made carries {@code nv-} in front of its id. The mark says where to look first
 * and nothing else: whoever owns the SKU now releases it, whatever mark the caller sends.
 */
final class Ids {
    private static final String NEW_MARK = "nv-";

    private Ids() {}

    /** @param id from outside, so it may be missing */
    static void require(String path, @Nullable String id, Problems problems) {
        // Keys calls what it refuses a key; here it has a name of its own.
        Problems found = new Problems();
        found.part("", () -> Keys.require(id));
        found.all().forEach(problem -> problems.add(path, problem.was(), problem.allowed()));
    }

    static void requireUnmarked(String path, @Nullable String id, Problems problems) {
        require(path, id, problems);
        if (id != null && id.startsWith(NEW_MARK)) {
            problems.add(path, id, "must not start with " + NEW_MARK);
        }
    }

    static void requireMarkedOrNot(String path, @Nullable String id, Problems problems) {
        require(path, id, problems);
        if (id != null && id.equals(NEW_MARK)) {
            problems.add(path, id, "must have an id behind its mark");
        }
    }

    static String marked(String id, Side madeBy) {
        return madeBy == Side.NEW ? NEW_MARK + id : id;
    }

    static String unmarked(String id) {
        return id.startsWith(NEW_MARK) ? id.substring(NEW_MARK.length()) : id;
    }

    /** Where to look first. */
    static Side hint(String id) {
        return id.startsWith(NEW_MARK) ? Side.NEW : Side.LEGACY;
    }
}
