package io.sluice.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.server.ResponseStatusException;

/** The tokens that were given out. Only their SHA-256 is kept: 256 random bits need no slow hash. */
@Repository
class Tokens {
    private static final Duration USE_IS_NOTED_EVERY = Duration.ofMinutes(1);
    private static final int MOST = 100;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    Tokens(JdbcClient jdbc, TransactionTemplate transaction, InstantSource clock) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** A token as it is kept. */
    record Kept(
            String name,
            String sha256,
            Instant createdAt,
            @Nullable Instant lastUsedAt) {}

    List<Kept> all() {
        return jdbc.sql("select * from tokens order by created_at, name")
                .query(Tokens::kept)
                .list();
    }

    /** The name that a token was given out under. Compares with every token, each in the same time. */
    Optional<String> nameOf(String token) {
        byte[] asked = sha256(token);
        Kept found = null;
        for (Kept kept : all()) {
            if (MessageDigest.isEqual(asked, HexFormat.of().parseHex(kept.sha256))) {
                found = kept;
            }
        }
        if (found == null) {
            return Optional.empty();
        }
        noteUse(found);
        return Optional.of(found.name);
    }

    /** Makes a token, which nobody can ask for again. */
    String create(String name) {
        byte[] bits = new byte[32];
        random.nextBytes(bits);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
        add(name, token);
        return token;
    }

    void add(String name, String token) {
        try {
            transaction.executeWithoutResult(status -> {
                if (all().size() >= MOST) {
                    throw new ResponseStatusException(HttpStatus.CONFLICT, "there are " + MOST + " tokens already");
                }
                jdbc.sql("insert into tokens (name, sha256, created_at) values (?, ?, ?)")
                        .params(name, HexFormat.of().formatHex(sha256(token)), now())
                        .update();
            });
        } catch (DuplicateKeyException taken) {
            throw new ResponseStatusException(
                    HttpStatus.CONFLICT, "there is a token named " + name + " already", taken);
        }
    }

    void delete(String name) {
        transaction.executeWithoutResult(status -> {
            // Locks all of them, so that two deletions at once cannot take the last two.
            List<String> names = jdbc.sql("select name from tokens order by name for update")
                    .query(String.class)
                    .list();
            if (!names.contains(name)) {
                throw new ResponseStatusException(HttpStatus.NOT_FOUND, "there is no token named " + name);
            }
            if (names.size() == 1) {
                throw new ResponseStatusException(
                        HttpStatus.CONFLICT, "cannot delete the last token: nobody could come in any more");
            }
            jdbc.sql("delete from tokens where name = ?").param(name).update();
        });
    }

    private void noteUse(Kept token) {
        Instant last = token.lastUsedAt;
        if (last == null || last.plus(USE_IS_NOTED_EVERY).isBefore(clock.instant())) {
            jdbc.sql("update tokens set last_used_at = ? where name = ?")
                    .params(now(), token.name)
                    .update();
        }
    }

    private OffsetDateTime now() {
        return clock.instant().atOffset(ZoneOffset.UTC);
    }

    private static Kept kept(ResultSet row, int number) throws SQLException {
        OffsetDateTime used = row.getObject("last_used_at", OffsetDateTime.class);
        return new Kept(
                row.getString("name"),
                row.getString("sha256"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                used == null ? null : used.toInstant());
    }

    private static byte[] sha256(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }
}
