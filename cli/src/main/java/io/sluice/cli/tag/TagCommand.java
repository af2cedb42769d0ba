package io.sluice.cli.tag;

import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.ColorsCodec;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TagReading;
import io.sluice.core.tag.TrafficTag;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice tag}: the parts of one tag header, or what is wrong with it. */
@Command(
        name = "tag",
        sortOptions = false,
        description = {
            "Reads the value of one X-Gray-Tag header.",
            "On the canaries of several releases, version and release are lists parted by commas.",
            "With --colors it reads the value of x-deploy-channel-type: the color in each channel."
        },
        customSynopsis = {"sluice tag VALUE", "  or:  sluice tag --colors VALUE"},
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:a tag", "2:wrong usage, or no tag that a service would believe"})
public final class TagCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "VALUE", description = "Like 'uid=10086;version=v2.1.0;release=release-2026-10'.")
    private String value = "";

    @Option(names = "--colors", description = "Reads colors of channels, like trade%%3Dblue%%26user%%3Dgreen.")
    private boolean colors;

    public TagCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (colors) {
            return printColors();
        }
        if (value.isEmpty()) {
            terminal.say("tag was empty, but must be pairs like uid=1;version=v2;release=r2");
            return Exit.REFUSED;
        }
        TagReading reading = TagCodec.parse(value);
        if (reading.isRefused()) {
            terminal.say(reading.problem());
            return Exit.REFUSED;
        }
        TrafficTag tag = reading.tag();
        terminal.print(new JsonLine()
                .with("uid", tag.uid())
                .with("channel", tag.channel())
                .with(
                        "version",
                        tag.assignments().isEmpty() ? TrafficTag.STABLE_VERSION : list(tag, Assignment::version))
                .with("release", list(tag, Assignment::release))
                .toString());
        return Exit.OK;
    }

    /** What is dropped on the way is a problem here: somebody typed it. */
    private int printColors() throws IOException {
        ColorsCodec.Reading reading = ColorsCodec.read(List.of(value), List.of());
        if (reading.refused() > 0 || reading.colors().isEmpty()) {
            terminal.say("colors had " + (value.isEmpty() ? "nothing" : reading.refused() + " entries that are none")
                    + ", but must be pairs like trade=blue&user=green, percent-encoded as a whole or not at all, each"
                    + " channel with one color");
            return Exit.REFUSED;
        }
        JsonLine line = new JsonLine();
        reading.colors().asMap().forEach((channel, color) -> line.with(channel, color.label()));
        terminal.print(line.toString());
        return Exit.OK;
    }

    private static String list(TrafficTag tag, Function<Assignment, String> part) {
        return tag.assignments().stream().map(part).collect(Collectors.joining(","));
    }
}
