package io.sluice.cli.demo.migration;

import io.sluice.core.problem.RefusedException;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where both ledgers are.
 *
 * @param url of the user's own database; null for one that the demo starts
 * @param user who owns the tables
 * @param password empty for none
 */
public record DatabaseAccess(@Nullable String url, String user, String password) {
    private static final int CONNECT_SECONDS = 10;
    private static final int ANSWER_SECONDS = 60;

    /**
     * The user's own database, or none.
     *
     * @throws RefusedException for what is no such address, or has a password in it
     */
    public static DatabaseAccess of(@Nullable String url, @Nullable String user, String password) {
        if (url == null) {
            return new DatabaseAccess(null, "postgres", "");
        }
        boolean isAddress = url.startsWith("jdbc:postgresql:") && Driver.parseURL(url, null) != null;
        if (!isAddress || url.matches("(?i).*(password=|//[^/?]*:[^/?]*@).*")) {
            // Not shown when it may have a password in it.
            throw new RefusedException(
                    "db",
                    isAddress ? "a URL with a password" : url,
                    "must be like jdbc:postgresql://host:5432/database; the password is taken from SLUICE_DB_PASSWORD");
        }
        return new DatabaseAccess(url, user == null ? "postgres" : user, password);
    }

    boolean isOwn() {
        return url != null;
    }

    /** @param port where the demo's own answers, unless the user has named one */
    String urlOr(int port) {
        return url == null ? "jdbc:postgresql://127.0.0.1:" + port + "/postgres" : url;
    }

    PGSimpleDataSource connect(int port) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(urlOr(port));
        source.setUser(user);
        if (!password.isEmpty()) {
            source.setPassword(password);
        }
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setSocketTimeout(ANSWER_SECONDS);
        source.setApplicationName("sluice demo");
        return source;
    }

    @Override
    public String toString() {
        return user + " at " + url; // Without the password.
    }
}
