package io.sluice.demo.supervise;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class in a process that ends when its parent does, for whatever reason the parent ends.
 *
 * <p>The parent holds the write end of this process's standard input and never writes to it. The operating system
 * closes that end when the parent is gone, even after a kill -9, and then this process halts: at once, without
 * shutdown hooks. A process started with a closed standard input (as shells do for background jobs) halts immediately.
 *
 * <pre>java -cp ... io.sluice.demo.supervise.Supervised com.example.Main its arguments</pre>
 */
public final class Supervised {

    private Supervised() {}

    public static void main(String[] args) throws Throwable {
        if (args.length == 0) {
            System.err.println("usage: Supervised <main class> [argument]...");
            System.exit(2);
        }
        haltAtEndOf(System.in);
        run(args[0], Arrays.copyOfRange(args, 1, args.length));
    }

    private static void haltAtEndOf(InputStream in) {
        var watch = new Thread(
                () -> {
                    drain(in);
                    Runtime.getRuntime().halt(0);
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void drain(InputStream in) {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // A broken pipe says the same as its end: the parent is gone.
        }
    }

    private static void run(String mainClass, String[] args) throws Throwable {
        var main = Class.forName(mainClass).getMethod("main", String[].class);
        try {
            main.invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
