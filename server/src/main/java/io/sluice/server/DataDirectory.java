package io.sluice.server;

import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where the embedded database lives. It holds allowlists and the hashes of tokens, so what is made here is for this user
 * only.
 *
 * @param path an absolute path
 */
record DataDirectory(Path path) {
    private static final String OWNER_ONLY_DIRECTORY = "rwx------";
    private static final String OWNER_ONLY_FILE = "rw-------";

    /** @throws RefusedException for a path that H2 would read as something else: a semicolon starts its settings */
    DataDirectory {
        if (path.toString().indexOf(';') >= 0) {
            throw new RefusedException("--data", path.toString(), "must be a path without a semicolon");
        }
    }

    /** The address of the database. */
    String url() {
        // Write delay 0: at its default H2 loses acknowledged commits when the process is killed. It traces to nowhere,
        // since standard output is for the two lines that scripts wait for.
        return "jdbc:h2:file:" + path.resolve("sluice")
                + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
                + ";WRITE_DELAY=0;LOCK_TIMEOUT=10000;DB_CLOSE_ON_EXIT=FALSE"
                + ";TRACE_LEVEL_FILE=0;TRACE_LEVEL_SYSTEM_OUT=0";
    }

    /** Looks before anything is started. @throws RefusedException when no database can be kept here */
    void requireUsable() {
        try {
            if (!Files.isDirectory(path)) {
                Files.createDirectories(path);
                restrict(path, OWNER_ONLY_DIRECTORY);
            }
            Files.delete(Files.createTempFile(path, "writable", ".tmp"));
            if (Files.exists(file()) && Files.size(file()) == 0) {
                throw new RefusedException(
                        file().toString(),
                        "empty",
                        "must be the database that the server left there; restore it, or delete it to begin anew");
            }
        } catch (IOException refused) {
            throw new RefusedException("--data", path.toString(), "must be a directory to write in");
        }
    }

    /** Shuts everybody else out of the database file, once it is there. */
    void keepPrivate() {
        if (Files.exists(file())) {
            restrict(file(), OWNER_ONLY_FILE);
        }
    }

    /** What to say when the database file cannot be opened. */
    RefusedException unreadable() {
        return new RefusedException(
                file().toString(), "unreadable", "must be a server's whole database; restore it from a backup");
    }

    private Path file() {
        return path.resolve("sluice.mv.db");
    }

    private static void restrict(Path path, String permissions) {
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        } catch (IOException | UnsupportedOperationException notHere) {
            // A file system without such permissions has its own way of keeping people out, or none at all.
            return;
        }
    }
}
