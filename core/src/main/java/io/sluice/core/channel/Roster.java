package io.sluice.core.channel;

import io.sluice.core.tag.Color;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The instances of a channel when its release started: how many each side has to have, and what it ran.
 *
 * @param members by service, color and name
 */
public record Roster(List<Member> members) {
    public Roster {
        members = List.copyOf(members);
    }

    /** Before a release has started. */
    public static Roster empty() {
        return new Roster(List.of());
    }

    /** One instance. @param color null only in a rolling release */
    public record Member(
            String service, String instance, @Nullable Color color, String version) {}

    public List<Member> of(String service, Color color) {
        return members.stream()
                .filter(member -> member.service().equals(service) && member.color() == color)
                .toList();
    }

    /** What the instances of one side ran, each version once. */
    public List<String> versions(String service, Color color) {
        return List.copyOf(
                new TreeSet<>(of(service, color).stream().map(Member::version).toList()));
    }
}
