package io.sluice.center;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A kind of config centre, as a {@link CenterName} names it before its {@code =}. Found by {@link java.util.ServiceLoader}, so
 * that an application can name a kind of its own too. Safe for all threads.
 *
 * <p>All but {@link #open} work without the client library of the centre.
 */
public interface CenterKind {
    /** What it is called, like {@code etcd}; lower-case letters. */
    String label();

    /** Whose library it needs; empty when the JDK is enough. */
    Optional<CenterClient> client();

    /** Whether there are users in it, who come by name and password. */
    boolean knowsUsers();

    /** @throws io.sluice.core.problem.RefusedException when it is no address of this kind; connects to nothing */
    void requireAddress(String address);

    /**
     * Opens it; never waits for the centre.
     *
     * @param address one that {@link #requireAddress} lets pass
     * @param login who we are to it; null for nobody, as always where there are no users
     */
    ConfigCenter open(String address, @Nullable CenterLogin login);
}
