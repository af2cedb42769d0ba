package io.sluice.cli.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.OutputFile;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleSet;
import io.sluice.wire.RuleEnvelope;
import io.sluice.wire.RuleSigner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice rules seal}: the envelope of a rule file, for who publishes by hand or from a repository. */
@Command(
        name = "seal",
        sortOptions = false,
        description = {
            "Puts the rules of a file into the envelope that config centres and files hold, signed if there is a key.",
            "A file that holds newer rules, or other ones of the same revision, is not written over."
        },
        customSynopsis = "sluice rules seal FILE [--signing-key KEY] [--output FILE]",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:sealed; there may be warnings", "2:wrong usage, or problems"})
final class SealCommand implements Callable<Integer> {
    private static final String OUTPUT = "--output";
    private static final int LARGEST = 1 << 21;

    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "A rule set or its envelope as JSON; - for standard input.")
    private String file = "";

    @Option(
            names = "--signing-key",
            paramLabel = "KEY",
            description = "A file with an Ed25519 private key (PKCS#8), as the server's.")
    private @Nullable String signingKey;

    @Option(names = OUTPUT, paramLabel = "FILE", description = "Where the envelope goes; standard output if not given.")
    private @Nullable String output;

    SealCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        Optional<RuleSigner> signer = signingKey == null
                ? Optional.empty()
                : options.read("--signing-key", signingKey, SealCommand::signer, Optional.empty());
        Optional<OutputFile> target = output == null
                ? Optional.empty()
                : options.read(OUTPUT, output, name -> Optional.of(OutputFile.of(name)), Optional.empty());
        options.throwIfAny();
        RuleSet rules = RuleFile.read(file, terminal);
        requireTakeable(rules);
        SaltLint.warnings(rules).forEach(warning -> terminal.say("warning: " + warning));

        RuleEnvelope plain = RuleEnvelope.of(rules);
        RuleEnvelope envelope = signer.map(plain::signed).orElse(plain);
        if (target.isEmpty() || output == null) {
            terminal.print(new String(envelope.write(), UTF_8));
            return Exit.OK;
        }
        requireOlder(Path.of(output), rules);
        target.get().write(envelope.write(), OUTPUT);
        terminal.print(new JsonLine()
                .with("epoch", rules.epoch())
                .with("revision", rules.revision())
                .with("signed", envelope.isSigned())
                .toString());
        return Exit.OK;
    }

    private static Optional<RuleSigner> signer(String file) {
        try {
            return Optional.of(RuleSigner.read(Path.of(file)));
        } catch (RefusedException refused) {
            Problem first = refused.problems().get(0);
            throw new RefusedException("", file + ", " + first.was(), first.allowed());
        } catch (InvalidPathException noPath) {
            throw new RefusedException("", file, "must be a file");
        }
    }

    /** A process takes rules that are newer than those it has, and it begins with none. */
    private static void requireTakeable(RuleSet rules) {
        if (!rules.isNewerThan(RuleSet.empty())) {
            throw new RefusedException("revision", String.valueOf(rules.revision()), "must be at least 1 to be taken");
        }
    }

    private static void requireOlder(Path file, RuleSet rules) throws IOException {
        byte[] held = held(file);
        if (held.length == 0) {
            return;
        }
        RuleEnvelope there;
        try {
            there = RuleEnvelope.read(held);
        } catch (RefusedException other) {
            throw new RefusedException(
                    OUTPUT, file + ", which holds something else", "must be new, empty, or hold an envelope");
        }
        boolean isSameRevision = there.epoch() == rules.epoch() && there.revision() == rules.revision();
        boolean isNewer = there.epoch() > rules.epoch()
                || (there.epoch() == rules.epoch() && there.revision() > rules.revision());
        if (isNewer || (isSameRevision && !holds(there, rules))) {
            throw new RefusedException(
                    OUTPUT,
                    file + ", which holds " + (isNewer ? "" : "other rules of ") + there.epoch() + "."
                            + there.revision(),
                    "must hold what is older than " + rules.epoch() + "." + rules.revision());
        }
    }

    private static byte[] held(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LARGEST + 1);
        } catch (NoSuchFileException absent) {
            return new byte[0];
        }
    }

    private static boolean holds(RuleEnvelope envelope, RuleSet rules) {
        try {
            return envelope.rules().equals(rules);
        } catch (RefusedException broken) {
            return false;
        }
    }
}
