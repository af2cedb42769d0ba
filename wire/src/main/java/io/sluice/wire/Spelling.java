package io.sluice.wire;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Which word was meant by one that is mistyped. */
final class Spelling {
    private static final int LONGEST = 64;

    private Spelling() {}

    /** The word that takes the fewest letters to correct, at most a third of them; whether they are capitals is no matter. */
    static Optional<String> nearest(String typed, Collection<String> words) {
        if (typed.length() > LONGEST) {
            return Optional.empty();
        }
        return words.stream()
                .filter(word -> distance(typed, word) * 3 <= Math.max(typed.length(), word.length()))
                .min(Comparator.comparingInt(word -> distance(typed, word)));
    }

    /** Levenshtein's: letters put in, taken out or changed. */
    private static int distance(String typed, String word) {
        String a = typed.toLowerCase(Locale.ROOT);
        String b = word.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
