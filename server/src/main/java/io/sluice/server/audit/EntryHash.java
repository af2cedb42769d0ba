package io.sluice.server.audit;

import io.sluice.core.guard.Verdict;
import io.sluice.core.release.JournalEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Chains journal entries: whoever edits, drops or swaps one breaks every hash after it. */
final class EntryHash {
    /** What stands before the first entry. */
    static final String FIRST = "0".repeat(64);

    private EntryHash() {}

    static String of(String before, long seq, JournalEntry entry) {
        MessageDigest digest = sha256();
        parts(before, seq, entry).forEach(part -> update(digest, part));
        return HexFormat.of().formatHex(digest.digest());
    }

    private static List<String> parts(String before, long seq, JournalEntry entry) {
        Verdict verdict = entry.verdict();
        return List.of(
                before,
                String.valueOf(seq),
                entry.at().toString(),
                entry.release(),
                entry.actor(),
                entry.action(),
                entry.why(),
                entry.outcome(),
                verdict == null ? "" : text(verdict));
    }

    /** What the journal keeps of a verdict, in a form that stays: findings are not kept, and may not count either. */
    private static String text(Verdict verdict) {
        return "Verdict[health=" + verdict.health() + ", reason=" + verdict.reason() + ", service=" + verdict.service()
                + ", samples=" + verdict.samples() + ", failures=" + verdict.failures() + ", p99=" + verdict.p99()
                + "]";
    }

    /** Each part is led by its length, so that no two entries run together to the same bytes. */
    private static void update(MessageDigest digest, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }
}
