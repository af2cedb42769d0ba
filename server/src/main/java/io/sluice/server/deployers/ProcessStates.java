package io.sluice.server.deployers;

import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What runs and which orders have ended, in a file that is whole at any moment and says so before it is acted upon. One
 * server at a time has it, as long as it lives. Used by one thread.
 */
final class ProcessStates implements AutoCloseable {
    private static final int FORMAT = 1;
    /** How many orders are remembered after their end. */
    static final int MOST_ENDED = 500;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private final Path file;
    private final FileChannel lock;
    private final Map<String, Started> started = new LinkedHashMap<>();
    private final Map<String, Ended> ended = new LinkedHashMap<>();

    /**
     * A process that was started, and perhaps has ended since.
     *
     * @param order the key of the order that started it
     * @param released whether it was let go, so that it has run as what it was meant to be
     * @param logFrom where its own lines begin in its log
     */
    record Started(
            String name, String version, String order, ProcessIdentity identity, boolean released, long logFrom) {
        Started asReleased() {
            return new Started(name, version, order, identity, true, logFrom);
        }
    }

    /** An order that has ended. @param failure empty when it was carried out */
    record Ended(String key, String failure) {}

    /** The document. */
    private record State(int format, List<Started> processes, List<Ended> orders) {}

    private ProcessStates(Path file, FileChannel lock) {
        this.file = file;
        this.lock = lock;
    }

    /**
     * Opens the file, new or not.
     *
     * @return empty while another server has it
     * @throws RefusedException when it is not what was written there: starting without it would start what runs a second time
     */
    static Optional<ProcessStates> open(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        @Nullable FileChannel lock = lock(file.resolveSibling(file.getFileName() + ".lock"));
        if (lock == null) {
            return Optional.empty();
        }
        ProcessStates states = new ProcessStates(file, lock);
        try {
            states.load();
            return Optional.of(states);
        } catch (IOException | RuntimeException failed) {
            states.close();
            throw failed;
        }
    }

    /** @throws RefusedException when {@link #open} would throw it, too */
    static void requireReadable(Path file) {
        try {
            read(file);
        } catch (IOException unreadable) {
            throw refused(file, "unreadable");
        }
    }

    private static @Nullable FileChannel lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException ours) {
            // By another deployer of this process: it is not free either.
        }
        channel.close();
        return null;
    }

    private void load() throws IOException {
        State state = read(file);
        state.processes.forEach(process -> started.put(process.name, process));
        state.orders.forEach(order -> ended.put(order.key, order));
    }

    private static State read(Path file) throws IOException {
        try {
            State state = JSON.readValue(Files.readAllBytes(file), State.class);
            if (state.format == FORMAT) {
                return state;
            }
            throw refused(file, "of format " + state.format);
        } catch (NoSuchFileException first) {
            return new State(FORMAT, List.of(), List.of());
        } catch (JacksonException garbage) {
            throw refused(file, "no such document");
        }
    }

    private static RefusedException refused(Path file, String was) {
        return new RefusedException(
                file.toString(),
                was,
                "must be what this server wrote; stop the processes it tells of by hand, then remove it");
    }

    @Nullable Started started(String name) {
        return started.get(name);
    }

    @Nullable Ended ended(String key) {
        return ended.get(key);
    }

    /** @throws IOException when it is not known to be written; then it counts as not noted */
    void noteStarted(Started process) throws IOException {
        Started before = started.put(process.name, process);
        try {
            save();
        } catch (IOException failed) {
            if (before == null) {
                started.remove(process.name);
            } else {
                started.put(process.name, before);
            }
            throw failed;
        }
    }

    /** Of a process that is known to have ended; written with what follows, since it can be seen again. */
    void forget(String name) {
        started.remove(name);
    }

    /** @throws IOException when it is not known to be written; then it counts as not noted */
    void noteEnded(Ended order) throws IOException {
        ended.put(order.key, order);
        try {
            save();
        } catch (IOException failed) {
            ended.remove(order.key);
            throw failed;
        }
        while (ended.size() > MOST_ENDED) {
            ended.remove(ended.keySet().iterator().next());
        }
    }

    private void save() throws IOException {
        State state = new State(FORMAT, new ArrayList<>(started.values()), new ArrayList<>(ended.values()));
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (FileChannel out = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(JSON.writeValueAsBytes(state));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncDirectory();
    }

    /** So that the new name outlives a power failure. */
    private void syncDirectory() throws IOException {
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        } catch (AccessDeniedException notHere) {
            // Directories cannot be opened on Windows.
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
