package io.sluice.dubbo;

import java.util.concurrent.CompletableFuture;

/** A service that calls others. A route is {@code c>d,b}: first c, which calls d, then b. {@code hold} waits to be let go; {@code tag} says what tag it came with. */
public interface Hop {
    String HOLD = "hold";
    String TAG = "tag";

    /** Who was on the route, like {@code b/blue/1(c/green/2())}. */
    String visit(String route);

    /** The same without blocking: each call is made in the callback of the one before. */
    CompletableFuture<String> visitLater(String route);
}
