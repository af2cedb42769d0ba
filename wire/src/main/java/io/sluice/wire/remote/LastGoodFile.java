package io.sluice.wire.remote;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Names;
import io.sluice.core.rule.RuleSet;
import io.sluice.wire.RuleSetJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The newest rules that a process has seen, kept on disk for its next start.
 *
 * <p>Two files take turns, so the newest whole one is never touched while the next is written; each comes to its name
 * by an atomic rename, after its bytes are on the disk. What cannot be proven whole and ours is passed over and
 * reported, never used in part. Failing to write costs the next start its newest rules, and this run nothing.
 *
 * <p>Who follows an origin writes here after the rules hold in memory, and before the process tells anybody that it has
 * applied them: after a kill at any moment the next start has a whole published rule set, and unless a write failed, none that is
 * older than what was told.
 *
 * <pre>
 * sluice-rules 1 &lt;CRC32C of all bytes after it&gt; &lt;length of the document&gt; &lt;epoch.revision&gt; &lt;application&gt;
 * {"format":1,...}
 * </pre>
 *
 * <p>Several processes of one application may share a directory: an older revision never replaces a newer one.
 */
public final class LastGoodFile {
    private static final System.Logger LOG = System.getLogger(LastGoodFile.class.getName());
    private static final List<String> NAMES = List.of("rules-0", "rules-1");
    private static final String MAGIC = "sluice-rules 1 ";
    private static final int CHECKSUM_END = MAGIC.length() + 8;
    private static final int LARGEST_FILE = (1 << 20) + 512;
    private static final Set<PosixFilePermission> ONLY_OURS = PosixFilePermissions.fromString("rwx------");

    private final Path directory;
    private final String application;
    private final AtomicLong failedWrites = new AtomicLong();
    private volatile List<Problem> skipped = List.of();

    private LastGoodFile(Path directory, String application) {
        this.directory = directory;
        this.application = application;
    }

    /**
     * The file of one application. Nothing is read, written or created yet.
     *
     * @param directory made on the first write, for this user only; best not shared with other programs
     * @param application whose rules these are; files of another are never used
     * @throws RefusedException when the application's name is none
     */
    public static LastGoodFile in(Path directory, String application) {
        return new LastGoodFile(directory, Names.requireService(application));
    }

    /** The newest whole rule set of this application; empty when there is none. Never throws. */
    public Optional<RuleSet> load() {
        List<Problem> problems = new ArrayList<>();
        RuleSet newest = null;
        for (String name : NAMES) {
            RuleSet rules = loadOrNull(name, problems);
            if (rules != null && (newest == null || rules.isNewerThan(newest))) {
                newest = rules;
            }
        }
        skipped = List.copyOf(problems);
        problems.forEach(problem -> LOG.log(Level.WARNING, "passed over a last-good file: {0}", problem));
        return Optional.ofNullable(newest);
    }

    /** Keeps a rule set if it is newer than what is kept. Never throws; a failure is counted. */
    public void save(RuleSet rules) {
        try {
            claimDirectory();
            RuleSet first = loadOrNull(NAMES.get(0), new ArrayList<>());
            RuleSet second = loadOrNull(NAMES.get(1), new ArrayList<>());
            if (isNewer(rules, first) && isNewer(rules, second)) {
                boolean replaceFirst = first == null || (second != null && second.isNewerThan(first));
                write(NAMES.get(replaceFirst ? 0 : 1), rules);
            }
        } catch (IOException | RuntimeException failure) {
            failedWrites.incrementAndGet();
            LOG.log(Level.WARNING, "could not keep the rules in " + directory + " for the next start", failure);
        }
    }

    /** How many rule sets could not be kept. */
    public long failedWrites() {
        return failedWrites.get();
    }

    /** What the last {@link #load()} passed over, and why: the path of each problem is a file. */
    public List<Problem> skipped() {
        return skipped;
    }

    private static boolean isNewer(RuleSet rules, @Nullable RuleSet kept) {
        return kept == null || rules.isNewerThan(kept);
    }

    private @Nullable RuleSet loadOrNull(String name, List<Problem> problems) {
        Path file = directory.resolve(name);
        try {
            requireOurs(directory);
            return parse(file.toString(), read(file));
        } catch (NoSuchFileException absent) {
            return null;
        } catch (RefusedException refused) {
            problems.addAll(refused.problems());
        } catch (IOException | RuntimeException unreadable) {
            problems.add(new Problem(file.toString(), "unreadable: " + unreadable, "must be a readable file"));
        }
        return null;
    }

    private static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LARGEST_FILE + 1);
        }
    }

    private RuleSet parse(String path, byte[] bytes) {
        if (bytes.length < CHECKSUM_END || !text(bytes, 0, MAGIC.length()).equals(MAGIC)) {
            throw new RefusedException(path, "no last-good file of format 1", "must begin with '" + MAGIC + "'");
        }
        String checksum = text(bytes, MAGIC.length(), CHECKSUM_END);
        if (!checksum.equals(checksumOf(bytes))) {
            throw new RefusedException(path, "torn or changed", "must have the checksum that it names");
        }
        // From here on every byte is as it was written; only who wrote it is open.
        int line = indexOfLineEnd(bytes);
        byte[] document = Arrays.copyOfRange(bytes, line + 1, bytes.length);
        String[] header = text(bytes, CHECKSUM_END + 1, line).split(" ", -1);
        if (header.length != 3 || !header[0].equals(String.valueOf(document.length))) {
            throw new RefusedException(path, "without a whole header", "must name length, revision and application");
        }
        if (!header[2].equals(application)) {
            throw new RefusedException(path, "of the application " + header[2], "must be of " + application);
        }
        RuleSet rules = RuleSetJson.read(document);
        if (!header[1].equals(Revision.of(rules).toString())) {
            throw new RefusedException(path, "headed " + header[1], "must be headed with the document's revision");
        }
        return rules;
    }

    private void write(String name, RuleSet rules) throws IOException {
        Path file = directory.resolve(name);
        Path next = Files.createTempFile(directory, name, ".next");
        try {
            try (FileChannel out = FileChannel.open(next, WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(format(rules));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(next, file, ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(next);
        }
        syncDirectory();
    }

    private byte[] format(RuleSet rules) {
        byte[] document = RuleSetJson.write(rules);
        String header = " " + document.length + " " + Revision.of(rules) + " " + application + "\n";
        ByteArrayOutputStream out = new ByteArrayOutputStream(document.length + 256);
        out.writeBytes((MAGIC + "00000000" + header).getBytes(US_ASCII));
        out.writeBytes(document);
        byte[] bytes = out.toByteArray();
        System.arraycopy(checksumOf(bytes).getBytes(US_ASCII), 0, bytes, MAGIC.length(), 8);
        return bytes;
    }

    /** Of everything behind the checksum's own place. */
    private static String checksumOf(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, CHECKSUM_END, bytes.length - CHECKSUM_END);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    private static int indexOfLineEnd(byte[] bytes) {
        for (int i = CHECKSUM_END; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return bytes.length - 1;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, Math.max(0, to - from), US_ASCII);
    }

    private void claimDirectory() throws IOException {
        Files.createDirectories(directory);
        requireOurs(directory);
    }

    /** Rules from a directory that others may write to are others' rules; only its owner can close it. */
    private static void requireOurs(Path directory) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(directory, PosixFileAttributeView.class);
        if (view != null && !view.readAttributes().permissions().equals(ONLY_OURS)) {
            view.setPermissions(ONLY_OURS);
        }
    }

    private void syncDirectory() {
        try (FileChannel channel = FileChannel.open(directory, READ)) {
            channel.force(true);
        } catch (IOException unsupported) {
            // Some systems cannot sync a directory. The rename may then be lost with the power; no file is torn.
            LOG.log(Level.DEBUG, "could not sync " + directory, unsupported);
        }
    }
}
