package io.sluice.server.deployers;

import io.sluice.core.channel.Deployer;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The deployers that this server has, by the names that releases call them by. */
public final class Deployers implements AutoCloseable {
    private final SortedMap<String, Deployer> byName;

    Deployers(SortedMap<String, Deployer> byName) {
        this.byName = new TreeMap<>(byName);
    }

    /** In the order of the alphabet. */
    public Set<String> names() {
        return Collections.unmodifiableSet(byName.keySet());
    }

    public Optional<Deployer> get(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /**
     * Looks at the name that a new release gives.
     *
     * @param path where it stands in what was sent
     * @throws RefusedException when there is no such deployer, with how to have it
     */
    public void require(String path, String name) {
        if (!byName.containsKey(name)) {
            throw new RefusedException(
                    path,
                    Problem.printable(name),
                    "must be one of " + String.join(", ", byName.keySet())
                            + "; processes comes with sluice server --processes FILE, webhook with --webhook URL");
        }
    }

    /** Ends what they do in the background; what they brought up stays. */
    @Override
    public void close() throws Exception {
        for (Deployer deployer : byName.values()) {
            if (deployer instanceof AutoCloseable closeable) {
                closeable.close();
            }
        }
    }
}
