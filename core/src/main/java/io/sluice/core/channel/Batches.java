package io.sluice.core.channel;

import io.sluice.core.channel.ChannelPhase.Batch;
import io.sluice.core.decision.Percent;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.release.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The batches of a rolling release: who is in which, what each is to run, and who has to be there beside it. */
final class Batches {
    private final ChannelRelease release;
    private final Strategy.Rolling rolling;
    private final Roster roster;
    private final String version;

    Batches(ChannelRelease release, Strategy.Rolling rolling) {
        this.release = release;
        this.rolling = rolling;
        this.roster = release.roster();
        this.version = release.spec().version();
    }

    /** Names by batch: neighbours in the roster are in different ones, so no service rests as a whole. */
    List<List<String>> all() {
        return of(roster);
    }

    /** The same for those that run when it starts. */
    List<List<String>> of(Roster members) {
        List<List<String>> cut = new ArrayList<>();
        for (int i = 0; i < rolling.batches(); i++) {
            cut.add(new ArrayList<>());
        }
        List<String> due = members.members().stream()
                .filter(member -> !member.version().equals(version))
                .map(Roster.Member::instance)
                .toList();
        for (int i = 0; i < due.size(); i++) {
            cut.get(i % rolling.batches()).add(due.get(i));
        }
        cut.removeIf(List::isEmpty);
        return cut;
    }

    /** The instances of a batch, with the version that they are to run. */
    List<Fleet.Need> needs(Batch batch, Fleet fleet) {
        return members(batch).stream()
                .map(member -> one(member, release.isRestoring() ? member.version() : version, fleet))
                .toList();
    }

    List<Roster.Member> members(Batch batch) {
        return roster.members().stream()
                .filter(member -> batch.instances().contains(member.instance()))
                .toList();
    }

    /** All instances beside a batch, each with what it is to run by then. */
    private List<Fleet.Need> others(Batch batch, Fleet fleet) {
        List<String> renewed = done(batch);
        return roster.members().stream()
                .filter(member -> !batch.instances().contains(member.instance()))
                .map(member -> one(member, renewed.contains(member.instance()) ? version : member.version(), fleet))
                .toList();
    }

    private static Fleet.Need one(Roster.Member member, String wanted, Fleet fleet) {
        List<Workload> found = fleet.all().stream()
                .filter(each -> each.instance().equals(member.instance()))
                .toList();
        return new Fleet.Need(member.service(), "instances called " + member.instance(), found, wanted, 1);
    }

    private List<String> done(Batch batch) {
        return all().stream().limit(batch.index()).flatMap(List::stream).toList();
    }

    /** The instances that run the new version in the traffic, as far as the release has come. */
    private List<Roster.Member> renewed() {
        if (!(release.phase().at() instanceof Batch batch)) {
            return List.of();
        }
        boolean isIn = !batch.part().isResting() && !release.isRestoring();
        List<String> done = done(batch);
        return roster.members().stream()
                .filter(member -> member.version().equals(version)
                        || done.contains(member.instance())
                        || isIn && batch.instances().contains(member.instance()))
                .toList();
    }

    /** A reason to take a batch back, led by how many instances stay on the new version all the same. */
    String staying(String why) {
        if (!(release.phase().at() instanceof Batch batch)) {
            return why;
        }
        long staying = renewed().stream()
                .filter(member -> !batch.instances().contains(member.instance()))
                .count();
        String words = staying + " of " + roster.members().size() + " instances stay on " + version;
        return staying == 0 ? why : why.isEmpty() ? words : words + ": " + why;
    }

    private static List<String> services(List<Roster.Member> members) {
        return members.stream().map(Roster.Member::service).distinct().toList();
    }

    /** What the guard watches: every service of which an instance serves with the new version. */
    Optional<Subject> subject() {
        BatchGuard guard = rolling.guard();
        List<String> services = services(renewed());
        if (guard == null || services.isEmpty()) {
            return Optional.empty();
        }
        StageWatch.Settings watching = StageWatch.Settings.of(rolling.between(), guard.limits());
        return Optional.of(new Subject(release.id(), release.step(), services, guard.stage(), watching));
    }

    /** The share of the new version, by instances in the traffic; 0 % when none is there. */
    Percent renewedPercent() {
        int there = roster.members().size() - release.resting().size();
        return there == 0
                ? Percent.ZERO
                : new Percent(Percent.HUNDRED.basisPoints() * renewed().size() / there);
    }

    /** Why a part of a batch must wait: all others have to be there before it is taken out, and it itself to be held. */
    List<String> obstacles(Batch next, Fleet fleet) {
        return switch (next.part()) {
            case DRAINING -> fleet.absent(others(next, fleet));
            case HOLDING -> fleet.absent(needs(next, fleet));
            case DEPLOYING, VERIFYING, OPENING -> List.of();
        };
    }

    /** A batch that is in the traffic is taken out by an abort, which half of the others of each service have to bear. */
    WayBack wayBack(Batch batch, Fleet fleet) {
        List<String> missing = new ArrayList<>();
        for (String service : batch.part().isResting() ? List.<String>of() : services(members(batch))) {
            List<Fleet.Need> others = others(batch, fleet).stream()
                    .filter(need -> need.service().equals(service))
                    .toList();
            List<String> absent = fleet.absent(others);
            if (others.size() - absent.size() < (others.size() + 1) / 2) {
                missing.addAll(absent);
            }
        }
        return missing.isEmpty() ? WayBack.OPEN : WayBack.closed(String.join("; ", missing));
    }

    /** What the deployer is to do with it: one for each service and version, since a batch that is restored may have had several. */
    List<Deployer.Target> targets(Batch batch) {
        List<Deployer.Target> targets = new ArrayList<>();
        for (String service : release.spec().services()) {
            members(batch).stream()
                    .filter(member -> member.service().equals(service))
                    .map(member -> release.isRestoring() ? member.version() : version)
                    .distinct()
                    .forEach(wanted -> targets.add(target(service, wanted, batch)));
        }
        return targets;
    }

    private Deployer.Target target(String service, String wanted, Batch batch) {
        List<String> only = members(batch).stream()
                .filter(member -> member.service().equals(service))
                .filter(member -> !release.isRestoring() || member.version().equals(wanted))
                .map(Roster.Member::instance)
                .toList();
        return new Deployer.Target(service, null, wanted, only.size(), only);
    }
}
