package io.sluice.dubbo;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class NacosReleaseTest extends RegistrationContract {
    @TempDir
    private static Path home;

    @Override
    TestRegistry startRegistry() throws Exception {
        return NacosRegistry.start(home);
    }
}
