package io.sluice.core.channel;

import io.sluice.core.problem.DurationWord;
import io.sluice.core.tag.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What runs at one moment, asked in the ways that a release asks; what is missing is said in sentences. */
record Fleet(List<Workload> all) {
    private static final int MOST_NAMES = 10;

    Fleet {
        all = List.copyOf(all);
    }

    static Fleet of(Workloads workloads) {
        return new Fleet(workloads.all());
    }

    List<Workload> side(String service, Color color) {
        return all.stream()
                .filter(each -> each.service().equals(service) && each.color() == color)
                .toList();
    }

    List<Workload> service(String service) {
        return all.stream().filter(each -> each.service().equals(service)).toList();
    }

    /** What a need lacks until its instances run, whether anybody can find them or not; empty when nothing. */
    List<String> unready(List<Need> needs) {
        return lacking(needs, " ready", need -> each -> flaw(each, need.version()));
    }

    /** What a need lacks until its instances run and can be found; empty when nothing. */
    List<String> absent(List<Need> needs) {
        return lacking(needs, " ready and registered", need -> each -> {
            String flaw = flaw(each, need.version());
            return flaw != null || each.registered() ? flaw : "is not registered";
        });
    }

    /** Who is not known to decide by these rules or newer ones; empty when everybody does. */
    List<String> unaware(ChannelStore.Published needed) {
        List<String> names = all.stream()
                .filter(each -> !each.hasApplied(needed.epoch(), needed.revision()))
                .map(each -> each.isReached() ? each.instance() : each.instance() + " (" + unheard(each) + ")")
                .sorted()
                .toList();
        return names.isEmpty()
                ? List.of()
                : List.of(names.size() + " of " + all.size() + " processes "
                        + (names.size() == 1 ? "is" : "are") + " not known to have applied " + needed.epoch() + "."
                        + needed.revision() + ": " + listed(names));
    }

    /** Who could not use the newest rules it got, in a sentence; empty when everybody could. */
    List<String> refusing() {
        List<String> names = refusers();
        return names.isEmpty() ? List.of() : List.of("rules that everybody can use; refused by " + listed(names));
    }

    List<String> refusers() {
        return all.stream()
                .filter(each -> !each.refusal().isEmpty())
                .map(Workload::instance)
                .sorted()
                .toList();
    }

    static String unheard(Workload workload) {
        return "not heard of for "
                + DurationWord.of(
                        workload.unheard().minusNanos(workload.unheard().getNano()));
    }

    private static List<String> lacking(
            List<Need> needs, String what, Function<Need, Function<Workload, @Nullable String>> flaws) {
        List<String> sentences = new ArrayList<>();
        for (Need need : needs) {
            String sentence = lack(need, what, flaws.apply(need));
            if (sentence != null) {
                sentences.add(sentence);
            }
        }
        return sentences;
    }

    /**
     * Whoever runs another version is in the way even where enough others are there: it would serve the wrong code, or does
     * so while it is cut off.
     */
    private static @Nullable String lack(Need need, String what, Function<Workload, @Nullable String> flaw) {
        List<Workload> candidates = need.candidates();
        Predicate<Workload> isFit = each -> flaw.apply(each) == null;
        long fit = candidates.stream().filter(isFit).count();
        boolean isMixed = need.pure()
                && candidates.stream().anyMatch(each -> !each.version().equals(need.version()));
        if (fit >= need.count() && !isMixed) {
            return null;
        }
        List<String> others = candidates.stream()
                .filter(isFit.negate())
                .map(each -> each.instance() + " " + flaw.apply(each))
                .sorted()
                .toList();
        return need.service() + " has " + Math.min(fit, need.count()) + " of " + need.count() + " " + need.whose()
                + what + " with " + need.version() + (others.isEmpty() ? "" : ": " + listed(others));
    }

    private static @Nullable String flaw(Workload each, String version) {
        if (!each.isReached()) {
            return "was " + unheard(each);
        }
        if (!each.version().equals(version)) {
            return "runs " + each.version();
        }
        return each.ready() ? null : "is not ready";
    }

    private static String listed(List<String> names) {
        String shown = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return names.size() <= MOST_NAMES ? shown : shown + " and " + (names.size() - MOST_NAMES) + " more";
    }

    /**
     * So many instances of a service must be there with a version.
     *
     * @param whose what they are called in a sentence: {@code blue instances}
     * @param candidates those that may be
     * @param pure whether nobody among them may run another version
     */
    record Need(String service, String whose, List<Workload> candidates, String version, int count, boolean pure) {
        Need(String service, String whose, List<Workload> candidates, String version, int count) {
            this(service, whose, candidates, version, count, true);
        }

        /** So many are enough, whoever else is there: where traffic has to go even if not all is well. */
        Need fewer(int enough) {
            return new Need(service, whose, candidates, version, enough, false);
        }
    }
}
