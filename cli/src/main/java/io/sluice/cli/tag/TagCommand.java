package io.sluice.cli.tag;

import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TagReading;
import io.sluice.core.tag.TrafficTag;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice tag}: the parts of one tag header, or what is wrong with it. */
@Command(
        name = "tag",
        sortOptions = false,
        description = {
            "Reads the value of one X-Gray-Tag header.",
            "On the canaries of several releases, version and release are lists parted by commas."
        },
        customSynopsis = "sluice tag VALUE",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:a tag", "2:wrong usage, or no tag that a service would believe"})
public final class TagCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "VALUE", description = "Like 'uid=10086;version=v2.1.0;release=release-2026-10'.")
    private String value = "";

    public TagCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
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

    private static String list(TrafficTag tag, Function<Assignment, String> part) {
        return tag.assignments().stream().map(part).collect(Collectors.joining(","));
    }
}
