package io.sluice.cli;

import io.sluice.cli.channel.CapacityCommand;
import io.sluice.cli.channel.ChannelCommand;
import io.sluice.cli.channel.WeightsCommand;
import io.sluice.cli.channel.WorkloadsCommand;
import io.sluice.cli.demo.DemoCommand;
import io.sluice.cli.guard.GuardCommand;
import io.sluice.cli.migration.MigrationCommand;
import io.sluice.cli.release.ReleaseCommand;
import io.sluice.cli.rules.RulesCommand;
import io.sluice.cli.split.SplitCommand;
import io.sluice.cli.tag.TagCommand;
import io.sluice.cli.terminal.CommandFailedException;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.ReaderGoneException;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command {@code sluice}. Finds the command that was asked for, runs it, and turns whatever happens into one of the
 * exit codes and a message; no stack trace ever reaches the user.
 */
@Command(name = "sluice", versionProvider = Sluice.Version.class, synopsisSubcommandLabel = "COMMAND")
public final class Sluice implements Callable<Integer> {
    /** What Java makes of letters that the locale has not. Two salts of such letters would be one. */
    private static final char REPLACED = '\ufffd';

    private final Terminal terminal;

    private Sluice(Terminal terminal) {
        this.terminal = terminal;
    }

    public static void main(String[] args) {
        System.exit(run(Terminal.ofProcess(), args));
    }

    /** Runs one command line and gives its exit code; everything it wrote has been delivered when this returns. */
    static int run(Terminal terminal, String... args) {
        for (String arg : args) {
            if (arg.indexOf(REPLACED) >= 0) {
                terminal.say("argument was " + arg + ", but must be readable in the locale; set LC_ALL=C.UTF-8");
                return Exit.REFUSED;
            }
        }
        try {
            int code = commandLine(terminal).execute(args);
            return delivered(terminal, code);
        } catch (OutOfMemoryError | StackOverflowError tooLarge) {
            terminal.say("the input was too large for the memory of this process: " + tooLarge);
            return Exit.REFUSED;
        }
    }

    private static CommandLine commandLine(Terminal terminal) {
        CommandLine line = new CommandLine(new Sluice(terminal))
                .addSubcommand(new SplitCommand(terminal))
                .addSubcommand(GuardCommand.line(terminal))
                .addSubcommand(new TagCommand(terminal))
                .addSubcommand(new DemoCommand(terminal))
                .addSubcommand(RulesCommand.line(terminal))
                .addSubcommand(ReleaseCommand.line(terminal))
                .addSubcommand(ChannelCommand.line(terminal))
                .addSubcommand(WorkloadsCommand.line(terminal))
                .addSubcommand(new WeightsCommand(terminal))
                .addSubcommand(new CapacityCommand(terminal))
                .addSubcommand(MigrationCommand.line(terminal))
                .addSubcommand(new CommandLine.HelpCommand());
        addHelp(line);
        line.getCommandSpec()
                .addOption(OptionSpec.builder("--version")
                        .type(boolean.class)
                        .versionHelp(true)
                        .build());
        // A value that begins with @ is a value, not a file of arguments.
        line.setExpandAtFiles(false);
        line.setPosixClusteredShortOptionsAllowed(false);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
        line.setOut(terminal.results());
        line.setParameterExceptionHandler((wrong, args) -> explain(wrong, terminal));
        line.setExecutionExceptionHandler((failure, command, result) -> explain(failure, terminal));
        line.getCommandSpec().usageMessage().sectionKeys(List.of("overview"));
        line.getHelpSectionMap().put("overview", ignored -> overview());
        return line;
    }

    private static void addHelp(CommandLine command) {
        if (command.getCommandSpec().findOption("--help") == null) {
            command.getCommandSpec()
                    .addOption(OptionSpec.builder("-h", "--help")
                            .type(boolean.class)
                            .usageHelp(true)
                            .description("Prints this help.")
                            .build());
        }
        command.getSubcommands().values().forEach(Sluice::addHelp);
    }

    @Override
    public Integer call() throws IOException {
        terminal.results().print(overview());
        return Exit.OK;
    }

    private static int explain(ParameterException wrong, Terminal terminal) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        List<String> near =
                wrong instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        String suggestion = near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
        terminal.say(command + ": " + wrong.getMessage() + suggestion);
        terminal.say("see " + command + " --help");
        return Exit.REFUSED;
    }

    private static int explain(Exception failure, Terminal terminal) {
        if (failure instanceof ReaderGoneException) {
            return Exit.OK;
        }
        if (failure instanceof RefusedException refused) {
            terminal.say(refused);
        } else if (failure instanceof CommandFailedException) {
            terminal.say(String.valueOf(failure.getMessage()));
        } else if (failure instanceof IOException io) {
            terminal.say("reading or writing failed: " + io.getMessage());
        } else {
            terminal.say("sluice failed, and should not have: " + failure);
        }
        return Exit.REFUSED;
    }

    /** A result that nobody received is not a success, unless its reader went away on purpose. */
    private static int delivered(Terminal terminal, int code) {
        try {
            terminal.flush();
            return code;
        } catch (ReaderGoneException readerHadEnough) {
            return code;
        } catch (IOException undelivered) {
            return code == Exit.REFUSED ? code : explain(undelivered, terminal);
        }
    }

    /** The launcher prints the same file, so that it can answer before anything is built. */
    private static String overview() {
        return resource("overview.txt");
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Sluice.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** As the jar's manifest says. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Sluice.class.getPackage().getImplementationVersion();
            return new String[] {"sluice " + (version == null ? "(not packaged)" : version)};
        }
    }
}
