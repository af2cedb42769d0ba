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
 * <p>A process that is not to hang on its parent but on another process, since its parent may be killed and started again,
 * is told of it by {@code -Dsupervised.by=PID}, and looks five times a second whether that one still runs.
 *
 * <pre>java -cp ... io.sluice.demo.supervise.Supervised com.example.Main its arguments</pre>
 */
public final class Supervised {

    private static final long LOOK_EVERY_MILLIS = 200;

    private Supervised() {}

    public static void main(String[] args) throws Throwable {
        if (args.length == 0) {
            System.err.println("usage: Supervised <main class> [argument]...");
            System.exit(2);
        }
        Long master = Long.getLong("supervised.by");
        if (master == null) {
            watch(() -> drain(System.in));
        } else {
            watch(() -> awaitEndOf(master));
        }
        run(args[0], Arrays.copyOfRange(args, 1, args.length));
    }

    private static void watch(Runnable untilTheEnd) {
        var watch = new Thread(
                () -> {
                    untilTheEnd.run();
                    Runtime.getRuntime().halt(0);
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEndOf(long pid) {
        // By handle, so that another process that gets the number later is not taken for it.
        ProcessHandle master = ProcessHandle.of(pid).orElse(null);
        while (master != null && master.isAlive()) {
            try {
                Thread.sleep(LOOK_EVERY_MILLIS);
            } catch (InterruptedException stop) {
                return;
            }
        }
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
