package io.sluice.core.rule;

import io.sluice.core.identity.Customers;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.problem.Problems;
import java.util.List;
import java.util.Set;

/**
 * A condition on a request. Comparisons are exact: {@code canary=10} never matches {@code canary=1}. Never throws.
 *
 * <p>A condition that no request can ever meet is refused when it is made, like a header whose name no header can have.
 */
public sealed interface Match {
    boolean matches(RequestView request, Identity who);

    /** The customer is one of these. */
    record Uid(Set<String> ids) implements Match {
        public Uid {
            Problems problems = new Problems();
            problems.require(!ids.isEmpty(), "uid", "empty", "must name at least one customer");
            for (String id : ids) {
                problems.require(
                        Identity.isUsable(id),
                        "uid",
                        id.isEmpty() ? "an empty id" : id,
                        "must be ids of " + Identity.ALLOWED);
            }
            problems.throwIfAny();
            ids = Customers.of(ids);
        }

        @Override
        public boolean matches(RequestView request, Identity who) {
            return ids.contains(who.customer());
        }
    }

    /** The customer's id ends so. */
    record UidSuffix(String suffix) implements Match {
        public UidSuffix {
            require(Identity.isUsable(suffix), "uidSuffix", suffix, "must have " + Identity.ALLOWED);
        }

        @Override
        public boolean matches(RequestView request, Identity who) {
            return who.customer().endsWith(suffix);
        }
    }

    /** The customer came through this channel ({@code app}, {@code web}). */
    record Channel(String name) implements Match {
        public Channel {
            require(Identity.isUsable(name), "channel", name, "must have " + Identity.ALLOWED);
        }

        @Override
        public boolean matches(RequestView request, Identity who) {
            return who.channel().equals(name);
        }
    }

    /** A header has exactly this value. */
    record Header(String name, String value) implements Match {
        public Header {
            Problems problems = new Problems();
            problems.require(Names.isToken(name), "header.name", shown(name), Names.TOKEN_ALLOWED);
            problems.require(
                    isHeaderValue(value),
                    "header.value",
                    shown(value),
                    "must have 1..256 characters, no control character, and no blank at its ends");
            problems.throwIfAny();
        }

        @Override
        public boolean matches(RequestView request, Identity who) {
            String actual = request.header(name);
            return actual != null && actual.equals(value);
        }
    }

    /** A cookie has exactly this value. */
    record Cookie(String name, String value) implements Match {
        public Cookie {
            Problems problems = new Problems();
            problems.require(Names.isToken(name), "cookie.name", shown(name), Names.TOKEN_ALLOWED);
            problems.require(
                    isCookieValue(value),
                    "cookie.value",
                    shown(value),
                    "must have 1..256 visible ASCII characters, none of them \" , ; \\");
            problems.throwIfAny();
        }

        @Override
        public boolean matches(RequestView request, Identity who) {
            String actual = request.cookie(name);
            return actual != null && actual.equals(value);
        }
    }

    /** All of these hold. */
    record All(List<Match> matches) implements Match {
        public All {
            Problems problems = new Problems();
            problems.require(!matches.isEmpty(), "all", "empty", "must have at least one condition");
            problems.throwIfAny();
            matches = List.copyOf(matches);
        }

        @Override
        public boolean matches(RequestView request, Identity who) {
            for (int i = 0; i < matches.size(); i++) {
                if (!matches.get(i).matches(request, who)) {
                    return false;
                }
            }
            return true;
        }
    }

    private static void require(boolean holds, String path, String text, String allowed) {
        Problems problems = new Problems();
        problems.require(holds, path, shown(text), allowed);
        problems.throwIfAny();
    }

    private static String shown(String text) {
        return text.isEmpty() ? "empty" : text;
    }

    /** As RFC 9110, section 5.5, has it: blanks at the ends never arrive. How others are encoded is the server's choice. */
    private static boolean isHeaderValue(String value) {
        return isShort(value)
                && value.charAt(0) != ' '
                && value.charAt(value.length() - 1) != ' '
                && value.chars().noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
    }

    /** Of {@code cookie-octet} only (RFC 6265, section 4.1.1). */
    private static boolean isCookieValue(String value) {
        return isShort(value) && value.chars().allMatch(c -> c > ' ' && c < 0x7f && "\",;\\".indexOf(c) < 0);
    }

    private static boolean isShort(String text) {
        return !text.isEmpty() && text.length() <= 256;
    }
}
