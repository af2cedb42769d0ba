package io.sluice.cli.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {
    @Test
    void aPortThatSomebodyListensOnIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(new Ports(taken.getLocalPort(), 1).inUse()).containsExactly(taken.getLocalPort());
        }
    }

    @Test
    void freePortsStandInARow() {
        Ports ports = Ports.free(10);

        assertThat(ports.inUse()).isEmpty();
        assertThat(ports.at(9)).isEqualTo(ports.at(0) + 9);
    }
}
