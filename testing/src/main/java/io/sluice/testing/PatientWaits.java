package io.sluice.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long a test waits for what must come: long enough for a machine of two cores that has other work to do. JUnit finds it by
 * itself. A limit beside a wait is for a time that some page promises, and for nothing else.
 */
public final class PatientWaits implements LauncherSessionListener {
    static final Duration LONGEST = Duration.ofSeconds(60);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LONGEST);
    }
}
