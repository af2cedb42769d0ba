package io.sluice.center.etcd;

import io.sluice.center.CenterAddress;
import io.sluice.core.problem.RefusedException;
import java.net.URI;
import java.util.List;

/**
 * Servers of etcd and a key: {@code http://one:2379,two:2379/sluice/rules}.
 *
 * @param isSecret whether it is {@code https}
 */
record EtcdAddress(boolean isSecret, List<URI> servers, String key) {
    private static final String PLAIN = "http://";
    private static final String SECRET = "https://";

    /** @throws RefusedException when it is none */
    static EtcdAddress parse(String text) {
        String scheme = text.startsWith(SECRET) ? SECRET : PLAIN;
        if (!text.startsWith(scheme)) {
            throw new RefusedException(
                    "",
                    text.isEmpty() ? "empty" : text.replaceFirst("^[^/]*@", "...@"),
                    "must be like http://host:2379/path or https://host:2379/path");
        }
        CenterAddress at = CenterAddress.parse(text.substring(scheme.length()));
        List<URI> servers =
                at.servers().stream().map(server -> URI.create(scheme + server)).toList();
        return new EtcdAddress(scheme.equals(SECRET), servers, at.path());
    }
}
