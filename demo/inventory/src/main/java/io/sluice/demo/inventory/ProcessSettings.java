package io.sluice.demo.inventory;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.DurationText;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a router process finds in its environment.
 *
 * @param port {@code SERVER_PORT}: where it answers
 * @param instance {@code INSTANCE}: what it is called
 * @param database {@code DATABASE_URL}: with both ledgers and the owners
 * @param user {@code DATABASE_USER}
 * @param password {@code DATABASE_PASSWORD}, empty for none
 * @param server {@code SLUICE_SERVER}: the control plane
 * @param lookEvery {@code LOOK_EVERY}: how often it reports, hears what is wanted and looks its plan up; 1s unless set
 * @param skus {@code STOCK_SKUS}: how many SKUs it stocks before it begins; none unless set
 * @param each {@code STOCK_EACH}: how much of each
 */
record ProcessSettings(
        int port,
        String instance,
        String database,
        String user,
        String password,
        URI server,
        Duration lookEvery,
        int skus,
        int each) {
    private static final int LARGEST_PORT = 65_535;
    private static final int MOST_SKUS = 1_000_000;

    /** @throws RefusedException with every problem */
    static ProcessSettings from(Map<String, String> environment) {
        Problems problems = new Problems();
        int port = number("SERVER_PORT", environment.getOrDefault("SERVER_PORT", ""), 1, LARGEST_PORT, problems);
        String database = environment.getOrDefault("DATABASE_URL", "");
        problems.require(
                database.startsWith("jdbc:postgresql:"),
                "DATABASE_URL",
                database,
                "must be like jdbc:postgresql://host/shop");
        @Nullable
        URI server = problems.part(
                "SLUICE_SERVER", () -> uri(environment.getOrDefault("SLUICE_SERVER", "http://127.0.0.1:7070")));
        @Nullable
        Duration lookEvery =
                problems.part("LOOK_EVERY", () -> DurationText.parse(environment.getOrDefault("LOOK_EVERY", "1s")));
        int skus = number("STOCK_SKUS", environment.getOrDefault("STOCK_SKUS", "0"), 0, MOST_SKUS, problems);
        int each = number("STOCK_EACH", environment.getOrDefault("STOCK_EACH", "0"), 0, MOST_SKUS, problems);
        problems.throwIfAny();
        return new ProcessSettings(
                port,
                environment.getOrDefault("INSTANCE", "inventory"),
                database,
                environment.getOrDefault("DATABASE_USER", "postgres"),
                environment.getOrDefault("DATABASE_PASSWORD", ""),
                Objects.requireNonNull(server),
                Objects.requireNonNull(lookEvery),
                skus,
                each);
    }

    private static URI uri(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException no) {
            throw new RefusedException("", text, "must be an address like http://127.0.0.1:7070");
        }
    }

    private static int number(String name, String text, int least, int most, Problems problems) {
        boolean isNumber =
                text.matches("[0-9]{1,9}") && Integer.parseInt(text) >= least && Integer.parseInt(text) <= most;
        problems.require(isNumber, name, text, "must be a whole number within " + least + ".." + most);
        return isNumber ? Integer.parseInt(text) : least;
    }

    @Override
    public String toString() {
        return instance + " at port " + port; // Without the password.
    }
}
