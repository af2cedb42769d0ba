package io.sluice.testing.nacos;

import com.alibaba.nacos.plugin.auth.api.IdentityContext;
import com.alibaba.nacos.plugin.auth.api.Permission;
import com.alibaba.nacos.plugin.auth.api.Resource;
import com.alibaba.nacos.plugin.auth.constant.ActionTypes;
import com.alibaba.nacos.plugin.auth.spi.server.AuthPluginService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * Who may do what, as simple as a test wants it: everybody everything, but nobody anything with a data id that has a file
 * of its name in the directory {@code refused} of the server's home. So a test can take a permission away and give it back.
 */
public final class Refusals implements AuthPluginService {
    private final Path refused = Path.of(System.getProperty("nacos.home"), "refused");

    @Override
    public Collection<String> identityNames() {
        return List.of();
    }

    @Override
    public boolean enableAuth(ActionTypes action, String type) {
        return true;
    }

    @Override
    public boolean validateIdentity(IdentityContext identity, Resource resource) {
        return true;
    }

    @Override
    public Boolean validateAuthority(IdentityContext identity, Permission permission) {
        String name = permission.getResource().getName();
        return name == null || name.isEmpty() || !Files.exists(refused.resolve(name));
    }

    @Override
    public String getAuthServiceName() {
        return "refusals";
    }
}
