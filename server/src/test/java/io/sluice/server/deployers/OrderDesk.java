package io.sluice.server.deployers;

import io.sluice.core.tag.Color;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The receiver of a webhook as our page wants it: the first request with a key begins, every other one only asks. What is
 * begun is done at once, but for what is held back.
 */
public final class OrderDesk implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final Receiver receiver = new Receiver();
    private final Set<String> begun = new LinkedHashSet<>();
    private final Set<String> heldBack = ConcurrentHashMap.newKeySet();
    private final Deployment deployment;

    /** What is done about one target of an order. */
    @FunctionalInterface
    public interface Deployment {
        void of(Color side, String version);
    }

    public OrderDesk(Deployment deployment) {
        this.deployment = deployment;
        receiver.replies(exchange -> {
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            String state = isDone(key) ? "done" : "running";
            Receiver.answer(200, "{\"state\":\"" + state + "\"}").to(exchange);
        });
    }

    public URI url() {
        return receiver.url("/deploy");
    }

    /** An order of this key is under way from when it comes until it is let on. */
    public void holdBack(String key) {
        heldBack.add(key);
    }

    public void letOn(String key) {
        heldBack.remove(key);
    }

    /** The keys that came, in the order of their first requests. */
    public List<String> keys() {
        return receiver.got().stream().map(OrderDesk::key).distinct().toList();
    }

    /** How often an order was given. */
    public long given(String key) {
        return receiver.got().stream().filter(got -> key(got).equals(key)).count();
    }

    /** How many different orders came with a key. */
    public long bodies(String key) {
        return receiver.got().stream()
                .filter(got -> key(got).equals(key))
                .map(Receiver.Got::body)
                .distinct()
                .count();
    }

    private synchronized boolean isDone(String key) {
        if (heldBack.contains(key)) {
            return false;
        }
        if (begun.add(key)) {
            JsonNode targets = order(key).path("targets");
            targets.forEach(target -> deployment.of(
                    Color.parse(target.path("color").asString()),
                    target.path("version").asString()));
        }
        return true;
    }

    private JsonNode order(String key) {
        return receiver.got().stream()
                .filter(got -> key(got).equals(key))
                .map(got -> JSON.readTree(got.body()))
                .findFirst()
                .orElseThrow();
    }

    private static String key(Receiver.Got got) {
        return got.header("Idempotency-key");
    }

    @Override
    public void close() {
        receiver.close();
    }
}
