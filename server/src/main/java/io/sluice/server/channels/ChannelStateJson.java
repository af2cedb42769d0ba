package io.sluice.server.channels;

import io.sluice.core.channel.ChannelPhase;
import io.sluice.core.channel.Roster;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where a release of a channel stands, as one document in the database. Only this server reads it, and only what it wrote,
 * so what does not fit is a fault and no bad input.
 */
record ChannelStateJson(ChannelPhase phase, Roster roster, boolean scaled) {
    private static final JsonMapper TREES = new JsonMapper();
    private static final int LONGEST_WHY = 1024;

    static ChannelStateJson read(String json) {
        JsonNode in = TREES.readTree(json);
        List<Roster.Member> members = new ArrayList<>();
        in.path("roster").forEach(row -> members.add(member(row)));
        return new ChannelStateJson(
                readPhase(in.path("phase")),
                new Roster(members),
                in.path("scaled").asBoolean());
    }

    String write() {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        writePhase(out.putObject("phase"), phase);
        ArrayNode rows = out.putArray("roster");
        for (Roster.Member member : roster.members()) {
            ArrayNode row = rows.addArray().add(member.service()).add(member.instance());
            Color color = member.color();
            row.add(color == null ? "" : color.label()).add(member.version());
        }
        out.put("scaled", scaled);
        return TREES.writeValueAsString(out);
    }

    /** No reason may be so long that an abort cannot be saved. */
    static String kept(String why) {
        if (why.length() <= LONGEST_WHY) {
            return why;
        }
        boolean parted = Character.isHighSurrogate(why.charAt(LONGEST_WHY - 1));
        return why.substring(0, parted ? LONGEST_WHY - 1 : LONGEST_WHY);
    }

    /** The reason that a phase has; null where it has none. */
    static @Nullable String why(ChannelPhase phase) {
        if (phase instanceof ChannelPhase.Paused paused) {
            return paused.why();
        }
        if (phase instanceof ChannelPhase.Returned returned) {
            return returned.why();
        }
        if (phase instanceof ChannelPhase.Restoring restoring) {
            return restoring.why();
        }
        return phase instanceof ChannelPhase.Aborted aborted ? aborted.why() : null;
    }

    private static Roster.Member member(JsonNode row) {
        String color = row.path(2).asString();
        return new Roster.Member(
                row.path(0).asString(),
                row.path(1).asString(),
                color.isEmpty() ? null : Color.parse(color),
                row.path(3).asString());
    }

    private static void writePhase(ObjectNode out, ChannelPhase phase) {
        out.put("is", phase.label());
        String why = why(phase);
        if (why != null) {
            out.put("why", kept(why));
        }
        if (phase instanceof ChannelPhase.Scaling scaling) {
            out.put("attempt", scaling.attempt());
            writeTime(out, scaling.taken());
        } else if (phase instanceof ChannelPhase.Draining draining) {
            out.put("side", draining.side().label()).put("leaving", draining.leaving());
        } else if (phase instanceof ChannelPhase.Deploying deploying) {
            out.put("side", deploying.side().label()).put("attempt", deploying.attempt());
            writeTime(out, deploying.taken());
        } else if (phase instanceof ChannelPhase.Verifying verifying) {
            out.put("side", verifying.side().label());
        } else if (phase instanceof ChannelPhase.Opening opening) {
            out.put("side", opening.side().label());
            writeTime(out, opening.openFor());
        } else if (phase instanceof ChannelPhase.Admitting admitting) {
            out.put("side", admitting.side().label()).put("stage", admitting.stage());
            writeTime(out, admitting.held());
        } else if (phase instanceof ChannelPhase.Returned returned) {
            out.put("leaving", returned.leaving());
        } else if (phase instanceof ChannelPhase.Batch batch) {
            writeBatch(out, batch);
        } else if (phase instanceof ChannelPhase.Paused paused) {
            writePhase(out.putObject("inner"), paused.inner());
        } else if (phase instanceof ChannelPhase.Restoring restoring) {
            writePhase(out.putObject("inner"), restoring.inner());
        }
    }

    private static void writeBatch(ObjectNode out, ChannelPhase.Batch batch) {
        out.put("index", batch.index());
        batch.instances().forEach(out.putArray("instances")::add);
        out.put("part", batch.part().name().toLowerCase(Locale.ROOT)).put("attempt", batch.attempt());
        writeTime(out, batch.taken());
    }

    private static void writeTime(ObjectNode out, Duration time) {
        out.put("nanos", time.toNanos());
    }

    private static ChannelPhase readPhase(JsonNode in) {
        String is = in.path("is").asString();
        return switch (is) {
            case "draft" -> new ChannelPhase.Draft();
            case "scaling-up", "scaling-down" ->
                new ChannelPhase.Scaling(
                        is.equals("scaling-up"), in.path("attempt").asInt(), time(in));
            case "draining" ->
                new ChannelPhase.Draining(side(in), in.path("leaving").asBoolean());
            case "deploying" ->
                new ChannelPhase.Deploying(side(in), in.path("attempt").asInt(), time(in));
            case "verifying" -> new ChannelPhase.Verifying(side(in));
            case "opening" -> new ChannelPhase.Opening(side(in), time(in));
            case "admitting" ->
                new ChannelPhase.Admitting(side(in), in.path("stage").asInt(), time(in));
            case "confirming" -> new ChannelPhase.Confirming();
            case "batch" -> readBatch(in);
            case "paused" -> new ChannelPhase.Paused(readPhase(in.path("inner")), reason(in));
            case "returned" ->
                new ChannelPhase.Returned(reason(in), in.path("leaving").asBoolean());
            case "restoring" -> new ChannelPhase.Restoring(readPhase(in.path("inner")), reason(in));
            case "completed" -> new ChannelPhase.Completed();
            case "aborted" -> new ChannelPhase.Aborted(reason(in));
            default ->
                throw new IllegalStateException("the database has a phase that this version does not know: " + is);
        };
    }

    private static ChannelPhase.Batch readBatch(JsonNode in) {
        List<String> instances = new ArrayList<>();
        in.path("instances").forEach(name -> instances.add(name.asString()));
        return new ChannelPhase.Batch(
                in.path("index").asInt(),
                instances,
                ChannelPhase.Batch.Part.valueOf(in.path("part").asString().toUpperCase(Locale.ROOT)),
                in.path("attempt").asInt(),
                time(in));
    }

    private static Color side(JsonNode in) {
        return Color.parse(in.path("side").asString());
    }

    private static Duration time(JsonNode in) {
        return Duration.ofNanos(in.path("nanos").asLong());
    }

    private static String reason(JsonNode in) {
        return in.path("why").asString();
    }
}
