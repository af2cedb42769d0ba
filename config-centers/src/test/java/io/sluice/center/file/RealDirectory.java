package io.sluice.center.file;

import io.sluice.center.ConfigCenter;
import io.sluice.center.RealCenter;
import io.sluice.center.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A shared disk: a directory that can be taken away, whole and by one of the ways to it. */
final class RealDirectory implements RealCenter {
    private final Path shared;
    private final Path unmounted;

    RealDirectory(Path home) throws IOException {
        shared = Files.createDirectory(home.resolve("shared"));
        unmounted = home.resolve("unmounted");
    }

    Path file(String name) {
        return shared.resolve(name);
    }

    @Override
    public ConfigCenter connect(String name) {
        return FileCenter.of(file(name).toString());
    }

    @Override
    public Way way(String name) throws IOException {
        Path link = shared.resolveSibling("way-to-" + name);
        Files.createSymbolicLink(link, shared);
        return new Way() {
            @Override
            public ConfigCenter connect() {
                return FileCenter.of(link.resolve(name).toString());
            }

            @Override
            public void cut() throws IOException {
                Files.deleteIfExists(link);
            }

            @Override
            public void mend() throws IOException {
                Files.createSymbolicLink(link, shared);
            }

            @Override
            public void close() throws IOException {
                cut();
            }
        };
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(file(name));
    }

    @Override
    public void empty(String name) throws IOException {
        Files.write(file(name), new byte[0]);
    }

    @Override
    public void kill() throws IOException {
        Files.move(shared, unmounted);
    }

    @Override
    public void restart() throws IOException {
        Files.move(unmounted, shared);
    }

    @Override
    public void close() {
        // JUnit removes what is in it.
    }
}
