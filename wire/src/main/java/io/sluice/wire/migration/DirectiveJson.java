package io.sluice.wire.migration;

import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import io.sluice.wire.Fields;
import io.sluice.wire.JsonText;
import io.sluice.wire.Read;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is wanted of a migration, as the server answers it to a report:
 * {@code {"version":..,"plan":{"migration":..,"revision":..,"newPercent":..,"alsoNew":[..],"heldBack":[..]},"pace":{"keysPerSecond":..,"paused":..}}}.
 */
public final class DirectiveJson {
    private DirectiveJson() {}

    /** Equal directives are equal bytes: keys are written by their order. */
    public static byte[] write(Directive directive) {
        Plan plan = directive.plan();
        ObjectNode out = JsonText.newObject();
        out.put("version", directive.version());
        ObjectNode wanted = out.putObject("plan");
        wanted.put("migration", plan.migration());
        wanted.put("revision", plan.revision());
        wanted.put("newPercent", plan.newPercent());
        writeKeys(wanted.putArray("alsoNew"), plan.alsoNew());
        writeKeys(wanted.putArray("heldBack"), plan.heldBack());
        ObjectNode pace = out.putObject("pace");
        pace.put("keysPerSecond", directive.pace().keysPerSecond());
        pace.put("paused", directive.pace().isPaused());
        return JsonText.write(out);
    }

    /**
     * Reads a directive, perhaps of a newer server: unknown fields are passed over.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static Directive read(byte[] json) {
        return JsonText.readLists(json, DirectiveJson::readDirective);
    }

    private static Directive readDirective(Fields in) {
        Read<Long> version = in.whole("version", 1, Fields.LARGEST_WHOLE);
        Read<Plan> plan = in.object("plan", DirectiveJson::readPlan);
        Read<Pace> pace = in.object("pace", DirectiveJson::readPace);
        return in.end(() -> new Directive(version.get(), plan.get(), pace.get()));
    }

    private static Plan readPlan(Fields in) {
        Read<String> migration = in.text("migration");
        Read<Long> revision = in.whole("revision", 1, Fields.LARGEST_WHOLE);
        Read<Long> newPercent = in.whole("newPercent", 100);
        Read<List<String>> alsoNew = in.texts("alsoNew", key -> key);
        Read<List<String>> heldBack = in.texts("heldBack", key -> key);
        return in.end(() -> Plan.of(
                migration.get(), revision.get(), Math.toIntExact(newPercent.get()), alsoNew.get(), heldBack.get()));
    }

    private static Pace readPace(Fields in) {
        Read<Long> keysPerSecond = in.whole("keysPerSecond", Integer.MAX_VALUE);
        Read<Boolean> paused = in.flag("paused");
        return in.end(() -> new Pace(Math.toIntExact(keysPerSecond.get()), paused.get()));
    }

    private static void writeKeys(ArrayNode out, Collection<String> keys) {
        new TreeSet<>(keys).forEach(out::add);
    }
}
