package io.sluice.migration.ledger;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** SQL that stays within the parentheses that are put around it, so that all of it is one query within another one. */
final class Enclosed {
    private static final Pattern DOLLARS = Pattern.compile("\\$(?:[\\p{L}_][\\p{L}\\p{N}_]*)?\\$");

    private final String sql;
    private int at;

    private Enclosed(String sql) {
        this.sql = sql;
    }

    /** Whether it closes no parenthesis that it has not opened, and no statement. Quotes and comments are passed over. */
    static boolean is(String sql) {
        return new Enclosed(sql).isEnclosed();
    }

    private boolean isEnclosed() {
        int open = 0;
        for (; at < sql.length(); at++) {
            switch (sql.charAt(at)) {
                case '(' -> open++;
                case ')' -> open--;
                case ';' -> {
                    return false;
                }
                default -> passOver();
            }
            if (open < 0) {
                return false;
            }
        }
        return true;
    }

    /** To the last character of what begins here, if that is a quotation or a comment. */
    private void passOver() {
        if (sql.startsWith("--", at)) {
            while (at + 1 < sql.length() && "\r\n".indexOf(sql.charAt(at + 1)) < 0) {
                at++;
            }
        } else if (sql.startsWith("/*", at)) {
            comment();
        } else if (sql.charAt(at) == '\'') {
            quotation('\'', isEscaped());
        } else if (sql.charAt(at) == '"') {
            quotation('"', false);
        } else if (sql.charAt(at) == '$' && !isInName(at - 1)) {
            dollars();
        }
    }

    /** A quote that stands there twice ends one quotation and begins the next. */
    private void quotation(char quote, boolean isEscaped) {
        for (at++; at < sql.length() && sql.charAt(at) != quote; at++) {
            if (isEscaped && sql.charAt(at) == '\\') {
                at++;
            }
        }
    }

    /** They stand within each other. */
    private void comment() {
        int open = 0;
        for (; at < sql.length(); at++) {
            if (sql.startsWith("/*", at)) {
                open++;
                at++;
            } else if (sql.startsWith("*/", at)) {
                open--;
                at++;
            }
            if (open == 0) {
                return;
            }
        }
    }

    private void dollars() {
        Matcher begin = DOLLARS.matcher(sql).region(at, sql.length());
        if (begin.lookingAt()) {
            int end = sql.indexOf(begin.group(), begin.end());
            at = end < 0 ? sql.length() : end + begin.group().length() - 1;
        }
    }

    /** Whether the quotation that begins here is one like {@code E'\''}. */
    private boolean isEscaped() {
        return at > 0 && (sql.charAt(at - 1) == 'E' || sql.charAt(at - 1) == 'e') && !isInName(at - 2);
    }

    private boolean isInName(int place) {
        return place >= 0
                && (Character.isLetterOrDigit(sql.charAt(place))
                        || sql.charAt(place) == '_'
                        || sql.charAt(place) == '$');
    }
}
