package io.sluice.center;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A document in a config centre, named by one text: {@code etcd=http://127.0.0.1:2379/sluice/rules}. One that exists can be
 * opened: its kind is known, its address is one of that kind, and the kind's client library is there.
 *
 * <pre>{@code
 * ConfigCenter center = CenterName.parse("nacos=one:8848,two:8848/shop/sluice/rules").open(new CenterLogin(user, password));
 * }</pre>
 *
 * @param kind the label of a {@link CenterKind}
 * @param address in the form of its kind, without secrets
 */
public record CenterName(String kind, String address) {
    /** @throws RefusedException with every problem at once */
    public CenterName {
        CenterKind known =
                kindOf(kind).orElseThrow(() -> new RefusedException("", shown(kind), "must be a kind of " + labels()));
        Problems problems = new Problems();
        String given = address;
        problems.part("", () -> {
            known.requireAddress(given);
            return known;
        });
        ClassLoader loader = known.getClass().getClassLoader();
        known.client()
                .filter(client -> !client.isThere(loader))
                .ifPresent(missing -> problems.add(
                        "",
                        known.label() + " without its client",
                        "must have " + missing.artifact() + " on the class path"));
        problems.throwIfAny();
    }

    /** @throws RefusedException with every problem at once, when it is no {@code KIND=ADDRESS} that can be opened here */
    public static CenterName parse(String text) {
        int equals = text.indexOf('=');
        if (equals < 0 || kindOf(text.substring(0, equals)).isEmpty()) {
            throw new RefusedException("", shown(text), "must be KIND=ADDRESS, with a kind of " + labels());
        }
        return new CenterName(text.substring(0, equals), text.substring(equals + 1));
    }

    /** Whether there are users in it. */
    public boolean knowsUsers() {
        return kindOf(kind).orElseThrow().knowsUsers();
    }

    /** Opens it as nobody; never waits for the centre. */
    public ConfigCenter open() {
        return open(null);
    }

    /**
     * Opens it; never waits for the centre.
     *
     * @param login who we are to it; null for nobody
     * @throws RefusedException when there is a login, and there are no users in this kind of centre
     */
    public ConfigCenter open(@Nullable CenterLogin login) {
        if (login != null && !knowsUsers()) {
            throw new RefusedException("user", login.user(), "must not be given: a " + kind + " knows no users");
        }
        return kindOf(kind).orElseThrow().open(address, login);
    }

    /** As it is parsed. */
    @Override
    public String toString() {
        return kind + "=" + address;
    }

    private static Optional<CenterKind> kindOf(String label) {
        return kinds().filter(kind -> kind.label().equals(label)).findFirst();
    }

    private static String labels() {
        List<String> labels = kinds().map(CenterKind::label).sorted().toList();
        return labels.stream().collect(Collectors.joining(", "));
    }

    /** By the loader of this class, whatever thread asks. */
    private static Stream<CenterKind> kinds() {
        return ServiceLoader.load(CenterKind.class, CenterName.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get);
    }

    /** What stands before an @ may be a password, which is not repeated. */
    private static String shown(String text) {
        return text.isEmpty() ? "empty" : text.replaceFirst("//[^/]*@", "//...@");
    }
}
