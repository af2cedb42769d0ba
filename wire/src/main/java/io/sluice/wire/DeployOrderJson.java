package io.sluice.wire;

import io.sluice.core.channel.Deployer;
import io.sluice.core.tag.Color;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a webhook is told to deploy, and what it answers. */
public final class DeployOrderJson {
    private DeployOrderJson() {}

    public static byte[] write(Deployer.Order order) {
        ObjectNode out = JsonText.newObject();
        out.put("key", order.key());
        out.put("release", order.release());
        out.put("channel", order.channel());
        ArrayNode targets = out.putArray("targets");
        order.targets().forEach(target -> writeTarget(targets.addObject(), target));
        return JsonText.write(out);
    }

    private static void writeTarget(ObjectNode out, Deployer.Target target) {
        out.put("service", target.service());
        Color color = target.color();
        if (color != null) {
            out.put("color", color.label());
        }
        out.put("version", target.version());
        out.put("instances", target.instances());
        if (!target.only().isEmpty()) {
            target.only().forEach(out.putArray("only")::add);
        }
    }

    /**
     * Reads an answer, perhaps with more than we know of.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static DeployAnswer readAnswer(byte[] json) {
        return JsonText.readLenient(json, in -> {
            Read<DeployAnswer.State> state = in.word("state", DeployAnswer.State.values(), DeployAnswer.State::label);
            Read<String> note = in.optional("note", "", in::text);
            return in.end(() -> new DeployAnswer(state.get(), note.get()));
        });
    }
}
