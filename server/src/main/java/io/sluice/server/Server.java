package io.sluice.server;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The control plane: {@code sluice server}. */
@SpringBootApplication
@EnableScheduling
public class Server {
    private static final int WRONG_USE = 2;

    // H2's error code for a database that another process has open.
    private static final int H2_IN_USE = 90020;

    /** Starts the server; ends the process with exit code 2, everything said on stderr, when it cannot be started so. */
    public static void main(String[] args) {
        List<String> arguments = List.of(args);
        if (arguments.contains("--help") || arguments.contains("-h")) {
            System.out.print(ServerFlags.USAGE);
            return;
        }
        try {
            ServerFlags flags = ServerFlags.parse(arguments, System.getenv());
            requireUsable(flags);
            start(flags, System.out);
        } catch (RefusedException refused) {
            refused.problems().forEach(System.err::println);
            System.exit(WRONG_USE);
        } catch (RuntimeException failure) {
            System.err.println("the server could not start: "
                    + Problem.printable(rootOf(failure).toString()));
            if (System.getenv("SLUICE_DEBUG") == null) {
                System.err.println("set SLUICE_DEBUG=true to see where");
            } else {
                failure.printStackTrace();
            }
            System.exit(WRONG_USE);
        }
    }

    /** Starts with these flags and says where. */
    static ConfigurableApplicationContext start(ServerFlags flags, PrintStream out) {
        SpringApplication application = new SpringApplication(Server.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        // First of all sources: a SERVER_PORT in the environment is meant for something else.
        application.addInitializers(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("flags", flags.settings())));
        try {
            ConfigurableApplicationContext running = application.run();
            flags.data().keepPrivate();
            String port = running.getEnvironment().getProperty("local.server.port");
            out.println("Sluice server ready on http://" + urlHost(flags.host()) + ":" + port);
            return running;
        } catch (RuntimeException failure) {
            throw refused(flags, failure);
        }
    }

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    /** Looked at before anything is started, so that the answer is quick and nothing has happened yet. */
    private static void requireUsable(ServerFlags flags) {
        try {
            new ServerSocket(flags.port(), 1, InetAddress.getByName(flags.host())).close();
        } catch (UnknownHostException unknown) {
            throw new RefusedException("--host", flags.host(), "must be an address of this machine");
        } catch (IOException refused) {
            throw notBound(flags);
        }
        if (flags.database() == null) {
            flags.data().requireUsable();
        }
    }

    private static RuntimeException refused(ServerFlags flags, RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefusedException setting) {
                return setting;
            }
            if (cause instanceof PortInUseException) {
                return portInUse(flags);
            }
            if (cause instanceof SQLException refusal && flags.database() != null) {
                return new RefusedException(
                        "--db", withoutSecrets(flags.database()), "must be reachable: " + refusal.getMessage());
            }
            if (cause instanceof SQLException embedded) {
                return embedded.getErrorCode() == H2_IN_USE
                        ? new RefusedException(
                                "--data", flags.data().path().toString(), "must not be in use by another server")
                        : flags.data().unreadable();
            }
        }
        return failure;
    }

    private static RefusedException notBound(ServerFlags flags) {
        return isOurs(flags.host())
                ? portInUse(flags)
                : new RefusedException("--host", flags.host(), "must be an address of this machine");
    }

    private static boolean isOurs(String host) {
        try {
            new ServerSocket(0, 1, InetAddress.getByName(host)).close();
            return true;
        } catch (IOException notOurs) {
            return false;
        }
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static RefusedException portInUse(ServerFlags flags) {
        return new RefusedException("port " + flags.port(), "in use", "must be free; choose another with --port");
    }

    /** A JDBC address may carry a password among its parameters. */
    private static String withoutSecrets(String database) {
        return database.split("[?;]", 2)[0];
    }

    private static String urlHost(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }
}
