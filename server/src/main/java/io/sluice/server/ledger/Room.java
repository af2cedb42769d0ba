package io.sluice.server.ledger;

import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Weighted;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.ColorsCodec;
import io.sluice.wire.ReleaseSpecJson;
import io.sluice.wire.RuleSetJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The room that rules have. Processes refuse a rule set of more than 1 MiB as a whole, so none may ever come about, least
 * of all by an abort: each release and each channel is counted at the largest that it can become.
 */
@Component
public class Room {
    // An abort's reason, shortened as a rule has it, each character 7 bytes at most once it is written as JSON.
    private static final int REASON_BYTES = 1024;

    // A flow or a renewal: two names of 64 characters, and numbers.
    private static final int FLOW_BYTES = 512;

    private static final int MOST_BYTES = 1 << 20;

    /** How many instances a rolling release may have resting at a time; 64 KiB if they have the longest names. */
    public static final int MOST_RESTING = 250;

    // The longest name of an instance, with its quotes and a comma.
    private static final int RESTING_BYTES = 259;

    private final JdbcClient jdbc;

    public Room(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Looks whether a new release fits; it may be in the tables already.
     *
     * @throws RefusedException when the rules of all releases and channels might not fit
     */
    public void requireFor(ReleaseSpec added) {
        int bytes = largest(added);
        int others = canaries(added.id()) + channels();
        if (others + bytes > MOST_BYTES) {
            throw new RefusedException(
                    "allow",
                    bytes + " bytes of rules, beside " + others + " of other releases",
                    "must leave all rules together within " + MOST_BYTES
                            + " bytes; use rules instead of long allowlists, or end other releases");
        }
    }

    /**
     * Looks whether all channels fit, with their releases; new ones are in the tables already.
     *
     * @throws RefusedException when the rules of all releases and channels might not fit
     */
    public void requireForChannels() {
        int bytes = channels();
        int others = canaries("");
        if (others + bytes > MOST_BYTES) {
            throw new RefusedException(
                    "channel",
                    bytes + " bytes of rules of all channels, beside " + others + " of canary releases",
                    "must leave all rules together within " + MOST_BYTES + " bytes; end other releases");
        }
    }

    /**
     * Looks whether a request can carry a color for each channel that is in a blue-green release; a new one is in the tables
     * already. A longer value is refused by the next process that reads it, and then no channel has a color.
     *
     * @throws RefusedException when the colors of all of them might not fit
     */
    public void requireForColors() {
        Map<String, Color> longest = new TreeMap<>();
        jdbc.sql("select channel_id from releases where strategy = 'blue-green'"
                        + " and phase not in ('completed', 'aborted')")
                .query(row -> {
                    longest.put(row.getString("channel_id"), Color.GREEN);
                });
        int length = ColorsCodec.format(ChannelColors.of(longest)).length();
        if (length > ColorsCodec.LONGEST) {
            throw new RefusedException(
                    "channel",
                    longest.size() + " channels in blue-green release",
                    "must be so few that a request can carry a color of each, " + ColorsCodec.LONGEST
                            + " characters with their names; complete or abort other releases first");
        }
    }

    private int canaries(String but) {
        return jdbc
                .sql("select spec from releases where strategy = 'canary' and not retired and id <> ?")
                .param(but)
                .query((row, number) ->
                        largest(ReleaseSpecJson.readStrict(row.getString("spec").getBytes(StandardCharsets.UTF_8))))
                .list()
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    private int channels() {
        Map<String, List<String>> services = new LinkedHashMap<>();
        jdbc.sql("select channel_id, service from channel_service").query(row -> {
            services.computeIfAbsent(row.getString("channel_id"), any -> new ArrayList<>())
                    .add(row.getString("service"));
        });
        int rolling = jdbc.sql("select count(*) from releases where strategy = 'rolling'"
                        + " and phase not in ('completed', 'aborted')")
                .query(Integer.class)
                .single();
        int resting = rolling * MOST_RESTING * RESTING_BYTES;
        return resting
                + services.entrySet().stream()
                        .mapToInt(entry -> largest(Channel.of(entry.getKey(), entry.getValue())))
                        .sum();
    }

    private static int largest(Channel channel) {
        return RuleSetJson.write(RuleSet.of(0, 0, List.of(), List.of(channel))).length + FLOW_BYTES;
    }

    private static int largest(ReleaseSpec spec) {
        ReleaseRule live = new ReleaseRule(
                spec.id(),
                spec.version(),
                spec.services(),
                new Weighted(spec.bucketing(), Percent.HUNDRED, spec.allow()),
                spec.rules(),
                Integer.MAX_VALUE,
                spec.plan().slowerThan(),
                spec.plan().limits().maxP99());
        return RuleSetJson.write(RuleSet.of(0, 0, List.of(live))).length + REASON_BYTES;
    }
}
