package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("T4")
class InternalHostsTest {
    private static final InternalHosts HOSTS =
            new InternalHosts(List.of(InternalHosts.domain("Shop.Example"), InternalHosts.domain(".corp.example")));

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "http://order/orders/1, true",
        "http://order_service/orders/1, true",
        "http://ORDER:8080/, true",
        "http://127.0.0.1:8080/, true",
        "http://10.1.2.3/, true",
        "http://[::1]:8080/, true",
        "http://[fd00::7]/, true",
        "http://order.shop.svc/, true",
        "http://order.internal/, true",
        "http://shop.example/, true",
        "https://api.shop.example/, true",
        "https://api.corp.example/, true",
        "/relative, true",
        "https://api.pay.example/, false",
        "https://notshop.example/, false",
        "https://shop.example.evil.example/, false",
        "https://8.8.8.8/, false",
        "https://10.1.2.3.evil.example/, false",
        "https://[2001:db8::1]/, false"
    })
    void aTagStaysAmongOurOwnHosts(URI address, boolean internal) {
        assertThat(HOSTS.contain(address)).isEqualTo(internal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "*.shop.example", "shop example", "http://shop.example", "a..b"})
    void whatEndsNoHostNameIsRefused(String domain) {
        assertThatThrownBy(() -> InternalHosts.domain(domain))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("must be the end of host names");
    }
}
