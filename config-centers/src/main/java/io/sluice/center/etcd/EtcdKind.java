package io.sluice.center.etcd;

import io.sluice.center.CenterClient;
import io.sluice.center.CenterKind;
import io.sluice.center.CenterLogin;
import io.sluice.center.ConfigCenter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A key in etcd, as {@code etcd=http://127.0.0.1:2379/sluice/rules}. */
public final class EtcdKind implements CenterKind {
    @Override
    public String label() {
        return "etcd";
    }

    @Override
    public Optional<CenterClient> client() {
        return Optional.of(new CenterClient("io.etcd:jetcd-core", "io.etcd.jetcd.Client"));
    }

    @Override
    public boolean knowsUsers() {
        return true;
    }

    @Override
    public void requireAddress(String address) {
        EtcdAddress.parse(address);
    }

    @Override
    public ConfigCenter open(String address, @Nullable CenterLogin login) {
        return login == null ? EtcdCenter.of(address) : EtcdCenter.of(address, login.user(), login.password());
    }
}
