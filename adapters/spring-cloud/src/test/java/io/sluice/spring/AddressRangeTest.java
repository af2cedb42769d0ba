package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {

    @ParameterizedTest(name = "{1} in {0}: {2}")
    @CsvSource({
        "10.0.0.0/8,      10.255.255.255,    true",
        "10.0.0.0/8,      11.0.0.0,          false",
        "172.16.0.0/12,   172.31.255.255,    true",
        "172.16.0.0/12,   172.32.0.0,        false",
        "127.0.0.1,       127.0.0.1,         true",
        "127.0.0.1,       127.0.0.2,         false",
        "0.0.0.0/0,       203.0.113.9,       true",
        "0.0.0.0/0,       2001:db8::1,       false",
        "192.168.1.128/25,192.168.1.127,     false",
        "192.168.1.128/25,192.168.1.129,     true",
        "::1/128,         ::1,               true",
        "fc00::/7,        fdff::1,           true",
        "fc00::/7,        fe80::1,           false",
        "10.0.0.0/8,      ::ffff:10.1.2.3,   true",
    })
    void containsWhatItsPrefixSays(String range, String address, boolean inside) throws UnknownHostException {
        assertThat(AddressRange.parse(range).contains(InetAddress.getByName(address)))
                .isEqualTo(inside);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "10.1",
                "010.0.0.1",
                "256.1.1.1",
                "10.0.0.0/33",
                "::1/129",
                "10.0.0.0/",
                "10.0.0.0/08",
                "10.0.0.0/-1",
                "10.0.0.0/٨",
                "fe80::1%eth0",
                "10.0.0.0/8/8",
                ":::",
                "*"
            })
    void refusesEverythingElseWithoutLookingUpNames(String text) {
        assertThatThrownBy(() -> AddressRange.parse(text))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("must be an IP address or a range like 10.0.0.0/8");
    }
}
