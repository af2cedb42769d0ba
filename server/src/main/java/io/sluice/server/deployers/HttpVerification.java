package io.sluice.server.deployers;

import io.sluice.core.channel.Verification;
import io.sluice.core.problem.RefusedException;
import java.net.URI;

/** Asks the checks of releases by HTTP, and only where an administrator allows it. */
public final class HttpVerification implements Verification {
    @Override
    public Answer ask(String release, URI url) {
        requireAllowed(url);
        return new Answer(false, "not asked yet");
    }

    /**
     * Looks at a check that a new release names.
     *
     * @throws RefusedException when this server would not ask it
     */
    public void requireAllowed(URI url) {
        if (url.getHost() == null) {
            throw new RefusedException("check", url.toString(), "must be like http://127.0.0.1:8081/actuator/health");
        }
    }
}
