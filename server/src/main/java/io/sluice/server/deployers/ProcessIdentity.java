package io.sluice.server.deployers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A process and nothing that gets its number later. On Linux told apart by the tick of the boot at which it began, as the
 * kernel has it: an instant is computed from that and moves when the machine's clock is set. Elsewhere by the instant.
 *
 * @param born differs between any two processes with one number
 */
record ProcessIdentity(long pid, String born) {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int STATE = 0;
    private static final int START_TICK = 19;

    /** The process that has the number now; empty when none has, or only one that ended and was not yet buried. */
    static Optional<ProcessIdentity> of(long pid) {
        Optional<String> born = Files.isReadable(BOOT) ? tick(pid) : instant(pid);
        return born.map(text -> new ProcessIdentity(pid, text));
    }

    boolean isAlive() {
        return of(pid).filter(this::equals).isPresent();
    }

    /** Asks it to end; does nothing when it has ended. */
    void terminate() {
        handle().ifPresent(ProcessHandle::destroy);
    }

    /** Ends it at once. */
    void kill() {
        handle().ifPresent(ProcessHandle::destroyForcibly);
    }

    private Optional<ProcessHandle> handle() {
        return isAlive() ? ProcessHandle.of(pid) : Optional.empty();
    }

    /** The name of the program stands in parentheses, and may itself have such and blanks. */
    private static Optional<String> tick(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            boolean hasEnded = fields[STATE].equals("Z") || fields[STATE].equals("X");
            return hasEnded
                    ? Optional.empty()
                    : Optional.of(Files.readString(BOOT).strip() + ":" + fields[START_TICK]);
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private static Optional<String> instant(long pid) {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .flatMap(handle -> handle.info().startInstant())
                .map(Instant::toString);
    }
}
