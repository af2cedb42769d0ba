package io.sluice.migration.branch;

/**
 * A read, as the user's branches know it. Must change nothing: it is also tried on the side that does not own the key, later
 * and by another thread, so it captures nothing that ends with the request.
 *
 * <pre>{@code
 * Read<Inventory, Integer> available = Read.named("available", (side, grant) -> side.available(grant));
 * }</pre>
 */
@FunctionalInterface
public interface Read<B extends Branch, R> {
    Versioned<R> on(B branch, Grant grant);

    /** What it is called where a difference between both sides is shown. */
    default String name() {
        return "read";
    }

    /** The same read, with a name. Made once for all keys, it costs nothing per read. */
    static <B extends Branch, R> Read<B, R> named(String name, Read<B, R> read) {
        return new Read<>() {
            @Override
            public Versioned<R> on(B branch, Grant grant) {
                return read.on(branch, grant);
            }

            @Override
            public String name() {
                return name;
            }
        };
    }
}
