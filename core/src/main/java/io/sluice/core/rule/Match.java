package io.sluice.core.rule;

import io.sluice.core.identity.Customers;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.problem.Problems;
import java.util.List;
import java.util.Set;

/** A condition on a request. Comparisons are exact: {@code canary=10} never matches {@code canary=1}. Never throws. */
public sealed interface Match {
    boolean matches(RequestView request, Identity who);

    /** The customer is one of these. */
    record Uid(Set<String> ids) implements Match {
        public Uid {
            Problems problems = new Problems();
            problems.require(!ids.isEmpty(), "uid", "empty", "must name at least one customer");
            for (String id : ids) {
                problems.require(
                        Identity.isUsable(id), "uid", id.isEmpty() ? "an empty id" : id, "must be ids of 1..256 bytes");
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
            requireText("uidSuffix", suffix);
        }

        @Override
        public boolean matches(RequestView request, Identity who) {
            return who.customer().endsWith(suffix);
        }
    }

    /** The customer came through this channel ({@code app}, {@code web}). */
    record Channel(String name) implements Match {
        public Channel {
            requireText("channel", name);
        }

        @Override
        public boolean matches(RequestView request, Identity who) {
            return who.channel().equals(name);
        }
    }

    /** A header has exactly this value. */
    record Header(String name, String value) implements Match {
        public Header {
            requirePair("header", name, value);
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
            requirePair("cookie", name, value);
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

    private static void requirePair(String kind, String name, String value) {
        Problems problems = new Problems();
        problems.part(kind, () -> requireText("name", name));
        problems.part(kind, () -> requireText("value", value));
        problems.throwIfAny();
    }

    private static String requireText(String path, String text) {
        Problems problems = new Problems();
        boolean printable = text.chars().noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
        problems.require(
                !text.isEmpty() && text.length() <= 256 && printable,
                path,
                text.isEmpty() ? "empty" : text,
                "must have 1..256 characters and no control character");
        problems.throwIfAny();
        return text;
    }
}
