package io.sluice.migration.kit;

import io.sluice.migration.branch.NothingHappenedException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** How a call ended. */
record Ended(@Nullable Object answer, @Nullable Exception thrown) {
    static Ended of(Callable<?> call) {
        try {
            return new Ended(call.call(), null);
        } catch (Refuted refuted) {
            throw refuted;
        } catch (Exception thrown) {
            return new Ended(null, thrown);
        }
    }

    boolean isAnswer() {
        return thrown == null;
    }

    boolean saysNothingHappened() {
        return thrown instanceof NothingHappenedException;
    }

    @Override
    public String toString() {
        return String.valueOf(isAnswer() ? answer : thrown);
    }
}
