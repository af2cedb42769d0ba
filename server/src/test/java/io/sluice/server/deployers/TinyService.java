package io.sluice.server.deployers;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A service in a process of its own: writes down that it was started, then answers, or does not. */
public final class TinyService {
    private TinyService() {}

    /** @param args its port, its version, the file of all starts, and perhaps what is wrong with it */
    public static void main(String[] args) throws Exception {
        String wrong = args.length > 3 ? args[3] : "";
        Files.writeString(
                Path.of(args[2]),
                args[0] + " " + args[1] + " " + ProcessHandle.current().pid() + " " + System.getenv("SLUICE_VERSION")
                        + " " + System.getenv("SLUICE_LEFT_OVER") + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        System.out.println("version " + args[1] + " on port " + args[0]);
        if (wrong.equals("exits-on-" + args[1])) {
            System.out.println("no room for\u001b[31m orders");
            System.exit(3);
        }
        if (wrong.equals("stays")) {
            Runtime.getRuntime().addShutdownHook(new Thread(TinyService::forever));
        }
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(wrong.equals("unwell-" + args[1]) ? 503 : 200, -1);
            exchange.close();
        });
        server.start();
    }

    private static void forever() {
        try {
            Thread.currentThread().join();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
