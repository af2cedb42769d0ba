package io.sluice.center.file;

import io.sluice.center.CenterClient;
import io.sluice.center.CenterKind;
import io.sluice.center.CenterLogin;
import io.sluice.center.ConfigCenter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file, as {@code file=/etc/sluice/rules.json}. */
public final class FileKind implements CenterKind {
    @Override
    public String label() {
        return "file";
    }

    @Override
    public Optional<CenterClient> client() {
        return Optional.empty();
    }

    @Override
    public boolean knowsUsers() {
        return false;
    }

    @Override
    public void requireAddress(String address) {
        FileCenter.of(address).close();
    }

    @Override
    public ConfigCenter open(String address, @Nullable CenterLogin login) {
        return FileCenter.of(address);
    }
}
