package io.sluice.center;

/**
 * The library that a kind of centre is reached by.
 *
 * @param artifact what to add to the application, as {@code group:artifact}
 * @param className a class of it, by which its presence is seen
 */
public record CenterClient(String artifact, String className) {
    /** Whether it can be loaded by who loaded this class. Initializes nothing of it. */
    boolean isThere(ClassLoader loader) {
        try {
            Class.forName(className, false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }
}
