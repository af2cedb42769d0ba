package io.sluice.server;

import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.flywaydb.core.api.FlywayException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
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

    private static final String NO_DATABASE =
            "must be a whole database of this server; bring back a backup, or choose another directory";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

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
            // Nothing that we foresaw, so where it happened is worth more than a short answer.
            System.err.println("the server could not start");
            failure.printStackTrace();
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
            keepPrivate(flags);
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

    /** A file that was there must hold our tables: the database takes one that lost them for a new one. */
    @Bean
    FlywayMigrationStrategy migration(@Value("${sluice.existing-file:}") String existing) {
        return flyway -> {
            if (!existing.isEmpty() && flyway.info().current() == null) {
                throw new RefusedException("--data", existing, NO_DATABASE);
            }
            flyway.migrate();
        };
    }

    /** Looked at before anything is started, so that the answer is quick and nothing has happened yet. */
    private static void requireUsable(ServerFlags flags) {
        requireFree(flags);
        if (flags.database() == null) {
            requireData(flags);
        }
    }

    private static void requireFree(ServerFlags flags) {
        if (!canListen(flags.host(), flags.port())) {
            throw canListen(flags.host(), 0) ? portInUse(flags) : foreignHost(flags);
        }
    }

    private static boolean canListen(String host, int port) {
        try {
            new ServerSocket(port, 1, InetAddress.getByName(host)).close();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static void requireData(ServerFlags flags) {
        try {
            if (!Files.isDirectory(flags.data())) {
                createPrivately(flags.data());
            }
            Files.delete(Files.createTempFile(flags.data(), "sluice", ".probe"));
        } catch (IOException refused) {
            throw new RefusedException("--data", flags.data().toString(), "must be a directory to write in");
        }
        try {
            // The database would take it for a new one, and start without all that was kept.
            if (Files.exists(flags.file()) && Files.size(flags.file()) == 0) {
                throw new RefusedException("--data", flags.file() + ", an empty file", NO_DATABASE);
            }
        } catch (IOException unreadable) {
            throw new RefusedException("--data", flags.file().toString(), NO_DATABASE);
        }
    }

    private static void createPrivately(Path directory) throws IOException {
        Files.createDirectories(Objects.requireNonNull(directory.getParent()));
        if (hasPermissions(directory.getParent())) {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } else {
            Files.createDirectory(directory);
        }
    }

    /** The file names customers and who commands; a directory that was there before may let others look in. */
    private static void keepPrivate(ServerFlags flags) {
        try {
            if (flags.database() == null && hasPermissions(flags.file())) {
                Files.setPosixFilePermissions(flags.file(), PosixFilePermissions.fromString("rw-------"));
            }
        } catch (IOException refused) {
            System.err.println("the permissions of " + flags.file() + " could not be set: " + refused.getMessage());
        }
    }

    private static boolean hasPermissions(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView(PosixFileAttributeView.class);
    }

    private static RuntimeException refused(ServerFlags flags, RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefusedException setting) {
                return setting;
            }
            if (cause instanceof PortInUseException) {
                return portInUse(flags);
            }
            if (cause instanceof SQLException refusal) {
                return unusable(flags, refusal);
            }
            if (cause instanceof FlywayException && !(cause.getCause() instanceof SQLException)) {
                return unusable(flags, cause);
            }
        }
        return failure;
    }

    private static RefusedException unusable(ServerFlags flags, Throwable refusal) {
        String why = Objects.requireNonNullElse(refusal.getMessage(), "")
                .lines()
                .findFirst()
                .orElse("");
        if (flags.database() != null) {
            return new RefusedException(
                    "--db", ServerFlags.withoutSecrets(flags.database()), "must be reachable: " + why);
        }
        if (refusal instanceof SQLException locked && locked.getErrorCode() == H2_IN_USE) {
            return new RefusedException("--data", flags.data().toString(), "must not be in use by another server");
        }
        return new RefusedException("--data", flags.file().toString(), NO_DATABASE + " (" + why + ")");
    }

    private static RefusedException foreignHost(ServerFlags flags) {
        return new RefusedException("--host", flags.host(), "must be an address of this machine");
    }

    private static RefusedException portInUse(ServerFlags flags) {
        return new RefusedException("port " + flags.port(), "in use", "must be free; choose another with --port");
    }

    private static String urlHost(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }
}
