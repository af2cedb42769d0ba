package io.sluice.core.rule;

import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.identity.Traits;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one release in the order in which they are asked: the exact ones first, otherwise as given. Immutable,
 * compiled once; asking allocates nothing.
 *
 * <p>Nearly every request fits no rule at all, so that is what is made fast: a request whose {@link Traits} do not meet
 * those of all customers and channels that rules name, and whose headers and cookies are not the ones named, fits none.
 * Any other request is asked rule by rule, so traits never decide.
 */
final class Rules extends AbstractList<Rule> implements RandomAccess {
    private final Rule[] ordered;
    private final Match.Header[] headers;
    private final Match.Cookie[] cookies;
    private final boolean askAlways;
    private final Traits named;

    private Rules(List<Rule> ordered) {
        this.ordered = ordered.toArray(Rule[]::new);
        List<Match> ofRequest = new ArrayList<>();
        Traits all = Traits.none();
        for (Rule rule : ordered) {
            Traits traits = traitsOf(rule.match());
            if (traits == null) {
                ofRequest.add(rule.match());
            } else {
                all = all.union(traits);
            }
        }
        this.named = all;
        this.headers = ofRequest.stream().filter(Match.Header.class::isInstance).toArray(Match.Header[]::new);
        this.cookies = ofRequest.stream().filter(Match.Cookie.class::isInstance).toArray(Match.Cookie[]::new);
        this.askAlways = headers.length + cookies.length < ofRequest.size();
    }

    static Rules of(List<Rule> rules) {
        List<Rule> ordered = new ArrayList<>(rules);
        ordered.sort(Comparator.comparing(rule -> !rule.percent().isAllOrNothing()));
        return new Rules(ordered);
    }

    /** The first rule that a request fits; null when there is none. */
    @Nullable
    Rule first(RequestView request, Identity who) {
        return ordered.length > 0 && mayFit(request, who) ? firstOfAll(request, who) : null;
    }

    private boolean mayFit(RequestView request, Identity who) {
        if (askAlways || named.meets(who.traits())) {
            return true;
        }
        for (Match.Header header : headers) {
            if (header.matches(request, who)) {
                return true;
            }
        }
        for (Match.Cookie cookie : cookies) {
            if (cookie.matches(request, who)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Rule firstOfAll(RequestView request, Identity who) {
        for (Rule rule : ordered) {
            if (rule.match().matches(request, who)) {
                return rule;
            }
        }
        return null;
    }

    @Override
    public Rule get(int index) {
        return ordered[index];
    }

    @Override
    public int size() {
        return ordered.length;
    }

    /** What everybody who matches must have; null when that is nothing about the identity. */
    private static @Nullable Traits traitsOf(Match match) {
        if (match instanceof Match.Uid uid) {
            return uid.ids().stream().map(Traits::ofCustomer).reduce(Traits.none(), Traits::union);
        }
        if (match instanceof Match.UidSuffix end) {
            return Traits.ofEnding(end.suffix());
        }
        if (match instanceof Match.Channel channel) {
            return Traits.ofChannel(channel.name());
        }
        if (match instanceof Match.All all) {
            for (Match each : all.matches()) {
                Traits traits = traitsOf(each);
                if (traits != null) {
                    return traits;
                }
            }
        }
        return null;
    }
}
