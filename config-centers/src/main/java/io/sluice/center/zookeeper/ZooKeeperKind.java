package io.sluice.center.zookeeper;

import io.sluice.center.CenterAddress;
import io.sluice.center.CenterClient;
import io.sluice.center.CenterKind;
import io.sluice.center.CenterLogin;
import io.sluice.center.ConfigCenter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node in ZooKeeper, as {@code zookeeper=127.0.0.1:2181/sluice/rules}. */
public final class ZooKeeperKind implements CenterKind {
    @Override
    public String label() {
        return "zookeeper";
    }

    @Override
    public Optional<CenterClient> client() {
        return Optional.of(new CenterClient(
                "org.apache.curator:curator-recipes", "org.apache.curator.framework.recipes.watch.PersistentWatcher"));
    }

    @Override
    public boolean knowsUsers() {
        return true;
    }

    @Override
    public void requireAddress(String address) {
        CenterAddress.parse(address);
    }

    @Override
    public ConfigCenter open(String address, @Nullable CenterLogin login) {
        return login == null
                ? ZooKeeperCenter.of(address)
                : ZooKeeperCenter.of(address, login.user(), login.password());
    }
}
