package io.sluice.center.nacos;

import io.sluice.center.CenterClient;
import io.sluice.center.CenterKind;
import io.sluice.center.CenterLogin;
import io.sluice.center.ConfigCenter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A data id of Nacos, as {@code nacos=127.0.0.1:8848/namespace/group/dataId}. */
public final class NacosKind implements CenterKind {
    @Override
    public String label() {
        return "nacos";
    }

    @Override
    public Optional<CenterClient> client() {
        return Optional.of(new CenterClient(
                "com.alibaba.nacos:nacos-client", "com.alibaba.nacos.client.config.NacosConfigService"));
    }

    @Override
    public boolean knowsUsers() {
        return true;
    }

    @Override
    public void requireAddress(String address) {
        NacosAddress.parse(address);
    }

    @Override
    public ConfigCenter open(String address, @Nullable CenterLogin login) {
        return login == null ? NacosCenter.of(address) : NacosCenter.of(address, login.user(), login.password());
    }
}
