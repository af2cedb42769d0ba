package io.sluice.center.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.sluice.center.CenterException;
import io.sluice.center.ConfigCenter;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.RuleEnvelope;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file: on a shared disk, in a mounted ConfigMap, or put there by whoever configures the machine.
 *
 * <p>Neither a network disk nor a ConfigMap, whose links are swapped, tells of changes; so whoever watches has the file read
 * every half second. It is read rather than looked at: opening a file is what makes a network disk ask its server, and what was
 * changed in place within one tick of the file's clock is seen as well.
 *
 * <p>Writers bring the whole file to its place by one rename, after its bytes are on the disk, and keep each other out by a lock
 * on {@code .NAME.lock} beside it. That holds between processes that write by this class, on any disk with locks; an editor
 * knows nothing of it. Who replaces a link's file replaces what the link leads to. The new file has the permissions, and if
 * it may be, the group of the old one.
 *
 * <p>All is done on one daemon thread, since a network disk whose server is gone answers nobody: who asks gets no answer in the
 * time given.
 */
public final class FileCenter implements ConfigCenter {
    /**
     * How much of a file is read, in bytes: as long as an envelope can be, and one. So of a larger file comes a part, which
     * is no envelope: processes leave it aside, and the server writes over it.
     */
    static final int LONGEST_READ = (1 << 21) + 1;

    private static final System.Logger LOG = System.getLogger(FileCenter.class.getName());
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final Duration FIRST_LOOK_WITHIN = Duration.ofSeconds(1);
    private static final int MOST_LINKS = 40;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
    private static final String ALLOWED = "must be the absolute path of a file, like /etc/sluice/rules.json";

    /** A lock of the system's is one process's: within it, they would all have it, and the first to leave would lose it. */
    private static final Map<Path, ReentrantLock> WRITERS = new ConcurrentHashMap<>();

    private final Path file;
    private final ScheduledThreadPoolExecutor disk = new ScheduledThreadPoolExecutor(1, FileCenter::thread);

    private FileCenter(Path file) {
        this.file = file;
        disk.setRemoveOnCancelPolicy(true);
    }

    /**
     * The file of that absolute path. It need not be there yet, nor its directory. Waits for its disk for a second at most.
     *
     * @throws RefusedException when it is no absolute path, or known to be a directory's
     */
    public static FileCenter of(String path) {
        try {
            Path file = Path.of(path);
            if (file.isAbsolute()
                    && file.getFileName() != null
                    && !CONTROL.matcher(path).find()) {
                return of(file);
            }
        } catch (InvalidPathException refused) {
            // Said below.
        }
        throw new RefusedException("", path.isEmpty() ? "empty" : path, ALLOWED);
    }

    /** The same; a path that is not absolute begins where this process was started. */
    public static FileCenter of(Path file) {
        FileCenter center = new FileCenter(file.toAbsolutePath());
        if (center.isKnownDirectory()) {
            center.close();
            throw new RefusedException("", file + ", a directory", ALLOWED);
        }
        return center;
    }

    private boolean isKnownDirectory() {
        try {
            return ask(FIRST_LOOK_WITHIN, () -> Files.isDirectory(file));
        } catch (CenterException unknown) {
            return false;
        }
    }

    @Override
    public Optional<byte[]> read(Duration within) {
        return Optional.ofNullable(ask(within, this::document));
    }

    @Override
    public Watch watch(Runnable mayHaveChanged) {
        try {
            ScheduledFuture<?> looks =
                    disk.scheduleWithFixedDelay(new Looks(mayHaveChanged), 0, LOOK_EVERY.toNanos(), NANOSECONDS);
            return () -> looks.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    @Override
    public void write(byte[] document, Duration within) {
        ask(
                within,
                () -> alone(target -> {
                    put(target, document);
                    return true;
                }));
    }

    @Override
    public boolean writeOver(byte @Nullable [] seen, byte[] document, Duration within) {
        return ask(
                within,
                () -> alone(target -> {
                    boolean isSeen = Arrays.equals(seen, document());
                    if (isSeen) {
                        put(target, document);
                    }
                    return isSeen;
                }));
    }

    @Override
    public void close() {
        // Who waits for what never begins is told so.
        disk.shutdownNow().forEach(task -> ((Future<?>) task).cancel(false));
    }

    @Override
    public String toString() {
        return "file " + file;
    }

    private byte @Nullable [] document() throws IOException {
        try {
            byte[] bytes = bytes();
            return bytes.length == 0 ? null : bytes;
        } catch (NoSuchFileException absent) {
            return null;
        }
    }

    private byte[] bytes() throws IOException {
        // Opening a pipe would wait for somebody who writes to it.
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        if (!found.isRegularFile()) {
            throw new FileSystemException(
                    file.toString(), null, found.isDirectory() ? "a directory, not a file" : "no regular file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LONGEST_READ);
        }
    }

    /** What a writer does while no other one writes. */
    private interface Writing {
        boolean to(Path target) throws IOException;
    }

    private boolean alone(Writing writing) throws IOException, InterruptedException {
        Path target = target();
        ReentrantLock here = WRITERS.computeIfAbsent(target, any -> new ReentrantLock());
        here.lockInterruptibly();
        try (FileChannel everywhere = FileChannel.open(beside(target, ".lock"), CREATE, WRITE)) {
            everywhere.lock(); // let go by the end of the channel
            return writing.to(target);
        } finally {
            here.unlock();
        }
    }

    /** Where the file itself is: a rename would put a file in a link's place. */
    private Path target() throws IOException {
        Path at = file;
        for (int links = 0; Files.isSymbolicLink(at); links++) {
            if (links == MOST_LINKS) {
                throw new FileSystemLoopException(file.toString());
            }
            at = at.resolveSibling(Files.readSymbolicLink(at));
        }
        return at;
    }

    private static void put(Path target, byte[] document) throws IOException {
        keepForeign(target);
        // One name, so that what a killed writer left does not pile up; new each time, so that no link is followed.
        Path next = beside(target, ".next");
        Files.deleteIfExists(next);
        try {
            try (FileChannel out = FileChannel.open(next, CREATE_NEW, WRITE)) {
                keepAccess(target, next);
                ByteBuffer bytes = ByteBuffer.wrap(document);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(next, target, ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(next);
        }
        sync(directory(target));
    }

    /** What is no envelope may be somebody's, met by a slip of the path: it is kept beside, the first one for good. */
    private static void keepForeign(Path target) throws IOException {
        Path kept = target.resolveSibling(target.getFileName() + ".replaced");
        if (!Files.exists(target) || Files.size(target) == 0 || isEnvelope(target)) {
            return;
        }
        try {
            Files.copy(target, kept);
            LOG.log(Level.WARNING, "{0} held something else than rules, which is kept as {1}", target, kept);
        } catch (FileAlreadyExistsException keptBefore) {
            LOG.log(Level.WARNING, "{0} held something else than rules once more", target);
        }
    }

    private static boolean isEnvelope(Path target) throws IOException {
        try (InputStream in = Files.newInputStream(target)) {
            RuleEnvelope.read(in.readNBytes(LONGEST_READ));
            return true;
        } catch (RefusedException other) {
            return false;
        }
    }

    private static void keepAccess(Path from, Path to) {
        PosixFileAttributeView old = Files.getFileAttributeView(from, PosixFileAttributeView.class, NOFOLLOW_LINKS);
        PosixFileAttributeView made = Files.getFileAttributeView(to, PosixFileAttributeView.class, NOFOLLOW_LINKS);
        if (old == null || made == null) {
            return;
        }
        try {
            PosixFileAttributes access = old.readAttributes();
            made.setPermissions(access.permissions());
            made.setGroup(access.group());
        } catch (NoSuchFileException first) {
            // As the system makes files.
        } catch (IOException notOurs) {
            LOG.log(Level.DEBUG, "could not keep the group of " + from, notOurs);
        }
    }

    private static void sync(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, READ)) {
            channel.force(true);
        } catch (IOException unsupported) {
            // Some systems cannot. The rename may then be lost with the power; no file is torn.
            LOG.log(Level.DEBUG, "could not sync " + directory, unsupported);
        }
    }

    private static Path beside(Path target, String suffix) {
        return directory(target).resolve("." + target.getFileName() + suffix);
    }

    private static Path directory(Path target) {
        return Objects.requireNonNull(target.getParent(), "every file is in a directory");
    }

    private <T extends @Nullable Object> T ask(Duration within, Callable<T> question) {
        Future<T> answer;
        try {
            answer = disk.submit(question);
        } catch (RejectedExecutionException closed) {
            throw CenterException.unanswered(this + ": closed", closed);
        }
        try {
            return answer.get(within.toNanos(), NANOSECONDS);
        } catch (TimeoutException silence) {
            throw CenterException.unanswered(this + ": no answer within " + within, silence);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw CenterException.unanswered(this + ": interrupted", stop);
        } catch (CancellationException closed) {
            throw CenterException.unanswered(this + ": closed", closed);
        } catch (ExecutionException failed) {
            throw failure(Objects.requireNonNull(failed.getCause()));
        } finally {
            answer.cancel(true);
        }
    }

    private CenterException failure(Throwable cause) {
        Path directory = file.getParent();
        if (cause instanceof NoSuchFileException && directory != null && Files.notExists(directory)) {
            return CenterException.unanswered(this + ": its directory is not there", cause);
        }
        if (!(cause instanceof AccessDeniedException denied)) {
            return CenterException.unanswered(this + ": " + cause, cause);
        }
        boolean isIt = file.toString().equals(denied.getFile());
        String what = isIt ? "" : " for " + Path.of(denied.getFile()).getFileName();
        return CenterException.denied(this + ": no permission" + what, denied);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "sluice-file");
        thread.setDaemon(true);
        return thread;
    }

    /** What one watch sees, look by look; used by the disk's thread. */
    private final class Looks implements Runnable {
        private final Runnable mayHaveChanged;
        private @Nullable Object seen;

        Looks(Runnable mayHaveChanged) {
            this.mayHaveChanged = mayHaveChanged;
        }

        /** The first look tells as well: what changed before it nobody would tell. */
        @Override
        public void run() {
            Object now = look();
            if (!now.equals(seen)) {
                seen = now;
                mayHaveChanged.run();
            }
        }

        /** The bytes, or why there are none. */
        private Object look() {
            try {
                return ByteBuffer.wrap(bytes());
            } catch (IOException | RuntimeException without) {
                return without.getClass();
            }
        }
    }
}
