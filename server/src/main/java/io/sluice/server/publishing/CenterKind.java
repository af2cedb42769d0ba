package io.sluice.server.publishing;

import com.alibaba.nacos.client.config.utils.SnapShotSwitch;
import io.sluice.center.CenterAddress;
import io.sluice.center.ConfigCenter;
import io.sluice.center.etcd.EtcdCenter;
import io.sluice.center.nacos.NacosCenter;
import io.sluice.center.zookeeper.ZooKeeperCenter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of config centre that rules can be published to. */
enum CenterKind {
    ETCD(
            address -> EtcdCenter.of(address).close(),
            (address, login) ->
                    login == null ? EtcdCenter.of(address) : EtcdCenter.of(address, login.user(), login.password())),
    ZOOKEEPER(
            CenterAddress::parse,
            (address, login) -> login == null
                    ? ZooKeeperCenter.of(address)
                    : ZooKeeperCenter.of(address, login.user(), login.password())),
    NACOS(address -> NacosCenter.of(address).close(), CenterKind::nacos);

    private final Consumer<String> check;
    private final BiFunction<String, @Nullable Login, ConfigCenter> connect;

    /** @param check refuses what is no address; connects to nothing */
    CenterKind(Consumer<String> check, BiFunction<String, @Nullable Login, ConfigCenter> connect) {
        this.check = check;
        this.connect = connect;
    }

    static Optional<CenterKind> of(String label) {
        return Stream.of(values()).filter(kind -> kind.label().equals(label)).findFirst();
    }

    static String labels() {
        return Stream.of(values()).map(CenterKind::label).collect(Collectors.joining(", "));
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws io.sluice.core.problem.RefusedException when it is no address of this kind */
    void requireAddress(String address) {
        check.accept(address);
    }

    ConfigCenter connect(String address, @Nullable Login login) {
        return connect.apply(address, login);
    }

    /**
     * Nacos's client has these for a whole process only, and this one is ours: it is to leave no copies of what it read and no
     * logs in the home of whoever runs the server.
     */
    private static ConfigCenter nacos(String address, @Nullable Login login) {
        SnapShotSwitch.setIsSnapShot(false);
        System.setProperty("nacos.logging.default.config.enabled", "false");
        return login == null ? NacosCenter.of(address) : NacosCenter.of(address, login.user(), login.password());
    }
}
