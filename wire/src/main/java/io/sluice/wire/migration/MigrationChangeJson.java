package io.sluice.wire.migration;

import io.sluice.wire.Fields;
import io.sluice.wire.JsonText;
import io.sluice.wire.Read;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The body of a change: {@code {"why":"first percent","newPercent":1}}; every field but {@code why} may be absent. */
public final class MigrationChangeJson {
    private static final long ABSENT = -1;

    private MigrationChangeJson() {}

    public static byte[] write(MigrationChange change) {
        ObjectNode out = JsonText.newObject();
        out.put("why", change.why());
        change.version().ifPresent(version -> out.put("version", version));
        change.newPercent().ifPresent(percent -> out.put("newPercent", percent));
        change.alsoNew().ifPresent(keys -> writeKeys(out.putArray("alsoNew"), keys));
        change.heldBack().ifPresent(keys -> writeKeys(out.putArray("heldBack"), keys));
        change.keysPerSecond().ifPresent(rate -> out.put("keysPerSecond", rate));
        change.paused().ifPresent(paused -> out.put("paused", paused));
        if (change.retry()) {
            out.put("retry", true);
        }
        return JsonText.write(out);
    }

    /**
     * Reads a change.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static MigrationChange readStrict(byte[] json) {
        return JsonText.readStrictLists(json, MigrationChangeJson::readChange);
    }

    private static MigrationChange readChange(Fields in) {
        Read<String> why = in.optional("why", "", in::text);
        Read<Long> version = in.optional("version", ABSENT, field -> in.whole(field, 1, Fields.LARGEST_WHOLE));
        Read<Long> newPercent = in.optional("newPercent", ABSENT, field -> in.whole(field, 100));
        boolean hasAlsoNew = in.has("alsoNew");
        Read<List<String>> alsoNew = in.optional("alsoNew", List.of(), field -> in.texts(field, key -> key));
        boolean hasHeldBack = in.has("heldBack");
        Read<List<String>> heldBack = in.optional("heldBack", List.of(), field -> in.texts(field, key -> key));
        Read<Long> keysPerSecond = in.optional("keysPerSecond", ABSENT, field -> in.whole(field, Integer.MAX_VALUE));
        boolean hasPaused = in.has("paused");
        Read<Boolean> paused = in.optional("paused", false, in::flag);
        Read<Boolean> retry = in.optional("retry", false, in::flag);
        return in.end(() -> new MigrationChange(
                why.get(),
                version.get() == ABSENT ? OptionalLong.empty() : OptionalLong.of(version.get()),
                number(newPercent.get()),
                present(hasAlsoNew, alsoNew.get()),
                present(hasHeldBack, heldBack.get()),
                number(keysPerSecond.get()),
                present(hasPaused, paused.get()),
                retry.get()));
    }

    private static Optional<Integer> number(long read) {
        return read == ABSENT ? Optional.empty() : Optional.of(Math.toIntExact(read));
    }

    private static <T> Optional<T> present(boolean isThere, T value) {
        return isThere ? Optional.of(value) : Optional.empty();
    }

    private static void writeKeys(ArrayNode out, List<String> keys) {
        keys.forEach(out::add);
    }
}
