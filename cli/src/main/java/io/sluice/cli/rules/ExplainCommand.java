package io.sluice.cli.rules;

import io.sluice.cli.rules.GivenRequest.Pair;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.JsonLine;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.decision.Decision;
import io.sluice.core.identity.Identity;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.ColorsCodec;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice rules explain}: the lane of one request in each release of a rule file, and the tag it would wear. */
@Command(
        name = "explain",
        sortOptions = false,
        description = {
            "Says which lane a request gets in each release of a rule file, which color in each channel, and why.",
            "The last line is the tag that the request would wear."
        },
        customSynopsis = {
            "sluice rules explain FILE [--uid U] [--request-id R] [--channel C]",
            "                     [--header K:V]... [--cookie K=V]..."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:explained", "2:wrong usage, or problems of the rule file"})
final class ExplainCommand implements Callable<Integer> {
    private static final String ID = "must have " + Identity.ALLOWED;
    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?(.*)");
    private static final Pattern COOKIE = Pattern.compile("[^\\s=;]+=[^;]*");

    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "A rule set or its envelope as JSON; - for standard input.")
    private String file = "";

    @Option(names = "--uid", paramLabel = "U", description = "The customer's id.")
    private @Nullable String uid;

    @Option(names = "--request-id", paramLabel = "R", description = "The request's id, used without a customer.")
    private @Nullable String requestId;

    @Option(names = "--channel", paramLabel = "C", description = "Through what the customer came, like app.")
    private @Nullable String channel;

    @Option(names = "--header", paramLabel = "K:V", description = "A header of the request.")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--cookie", paramLabel = "K=V", description = "A cookie of the request.")
    private List<String> cookies = new ArrayList<>();

    ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        Identity who = identity(options);
        GivenRequest request = request(options);
        options.throwIfAny();
        RuleSet rules = RuleFile.read(file, terminal);

        for (Map.Entry<ReleaseRule, Decision> decided :
                rules.explain(request, who).entrySet()) {
            terminal.print(json(decided.getKey(), decided.getValue()));
        }
        TrafficTag tag = rules.dye(request, who);
        for (Channel channel : rules.channels()) {
            terminal.print(json(channel, tag, who));
        }
        JsonLine worn = new JsonLine().with("tag", TagCodec.format(tag));
        if (!tag.colors().isEmpty()) {
            worn.with("colors", ColorsCodec.format(tag.colors()));
        }
        terminal.print(worn.toString());
        return Exit.OK;
    }

    private Identity identity(OptionValues options) {
        requireId(options, "--uid", uid);
        requireId(options, "--request-id", requestId);
        requireId(options, "--channel", channel);
        return Identity.of(uid, requestId, channel);
    }

    /** A process would count an unusable id as absent; somebody who types one should hear of it. */
    private static void requireId(OptionValues options, String option, @Nullable String id) {
        if (id != null) {
            options.require(Identity.isUsable(id), option, id, ID);
        }
    }

    private GivenRequest request(OptionValues options) {
        List<Pair> pairs = new ArrayList<>();
        for (String header : headers) {
            pairs.add(options.read("--header", header, ExplainCommand::pair, new Pair("", "")));
        }
        for (String cookie : cookies) {
            options.require(COOKIE.matcher(cookie).matches(), "--cookie", cookie, "must be like canary=1");
        }
        return new GivenRequest(pairs, cookies);
    }

    private static Pair pair(String header) {
        Matcher matcher = HEADER.matcher(header);
        if (!matcher.matches()) {
            throw new RefusedException("", header.isEmpty() ? "empty" : header, "must be like X-Canary:1");
        }
        return new Pair(matcher.group(1), matcher.group(2));
    }

    /** Where colors do not matter now, a request has none. */
    private static String json(Channel channel, TrafficTag tag, Identity who) {
        Flow flow = channel.flow();
        JsonLine line = new JsonLine().with("channel", channel.id());
        Color color = tag.colors().in(channel.id());
        if (flow == null || color == null) {
            return line.withNull("release")
                    .withNull("color")
                    .with("reason", "no_release")
                    .toString();
        }
        String reason = flow.blue().isAllOrNothing()
                ? "other_side_drained"
                : who.customer().isEmpty() ? "chance" : "bucket";
        return line.with("release", flow.release())
                .with("color", color.label())
                .with("reason", reason)
                .toString();
    }

    private static String json(ReleaseRule rule, Decision decision) {
        return new JsonLine()
                .with("release", rule.id())
                .with("version", rule.version())
                .with("lane", decision.lane().label())
                .with("bucket", decision.bucket())
                .with("reason", decision.reason())
                .toString();
    }
}
