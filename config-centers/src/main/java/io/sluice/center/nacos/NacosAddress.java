package io.sluice.center.nacos;

import io.sluice.center.CenterAddress;
import io.sluice.core.problem.RefusedException;
import java.util.List;
import java.util.Optional;

/**
 * Servers of Nacos and a data id: {@code one:8848,two:8848/namespace/group/dataId}.
 *
 * @param servers each {@code host:port}, parted by commas
 * @param namespace empty for {@code public}
 */
record NacosAddress(String servers, Optional<String> namespace, String group, String dataId) {
    /** @throws RefusedException when it is none */
    static NacosAddress parse(String text) {
        CenterAddress at = CenterAddress.parse(text);
        List<String> names = List.of(at.path().substring(1).split("/", -1));
        if (names.size() < 2 || names.size() > 3) {
            throw new RefusedException(
                    "", text, "must be like host:port/group/dataId or host:port/namespace/group/dataId");
        }
        return new NacosAddress(
                String.join(",", at.servers()),
                names.size() == 3 ? Optional.of(names.get(0)) : Optional.empty(),
                names.get(names.size() - 2),
                names.get(names.size() - 1));
    }
}
