package io.sluice.core.channel;

import io.sluice.core.problem.Problems;
import io.sluice.core.release.Command;
import io.sluice.core.release.CommandRefusedException;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an operator's commands make of a release of a channel. */
final class Steering {
    private final ChannelRelease release;
    private final ChannelPhase phase;
    private final String why;
    private final Fleet fleet;

    Steering(ChannelRelease release, String why, Fleet fleet) {
        this.release = release;
        this.phase = release.phase();
        this.why = why;
        this.fleet = fleet;
    }

    static List<Command> allowed(ChannelRelease release) {
        ChannelPhase phase = release.phase();
        if (phase.isOver()) {
            return List.of();
        }
        if (phase instanceof ChannelPhase.Draft) {
            return List.of(Command.START, Command.ABORT);
        }
        if (phase instanceof ChannelPhase.Returned) {
            return List.of(Command.PROMOTE);
        }
        List<Command> allowed = new ArrayList<>();
        allowed.add(phase instanceof ChannelPhase.Paused ? Command.RESUME : Command.PAUSE);
        allowed.add(Command.PROMOTE);
        boolean isOnStage = phase.at() instanceof ChannelPhase.Admitting admitting
                && admitting.side() == Color.BLUE
                && admitting.stage() > 0;
        if (isOnStage) {
            allowed.add(Command.BACK);
        }
        if (!release.isRestoring() && !release.isPastNoReturn()) {
            allowed.add(Command.ABORT);
        }
        return allowed;
    }

    ChannelRelease on(Command command) {
        return switch (command) {
            case START -> start();
            case PAUSE -> pause();
            case RESUME -> resume();
            case PROMOTE -> promote();
            case BACK -> back();
            case ABORT -> abort();
        };
    }

    private ChannelRelease start() {
        if (!(phase instanceof ChannelPhase.Draft)) {
            return phase.isOver() || phase instanceof ChannelPhase.Paused || release.isRestoring()
                    ? refuse(Command.START)
                    : release;
        }
        return release.spec().strategy() instanceof Strategy.BlueGreen blueGreen
                ? startBlueGreen(blueGreen)
                : startRolling((Strategy.Rolling) release.spec().strategy());
    }

    private ChannelRelease startBlueGreen(Strategy.BlueGreen blueGreen) {
        Roster roster = roster(fleet.all().stream().filter(each -> each.color() != null));
        Problems problems = new Problems();
        for (String service : release.spec().services()) {
            for (Color side : Color.values()) {
                requireOneVersion(service, side, roster, problems);
            }
        }
        throwIfAny(problems);
        boolean scales = !blueGreen.extra().isEmpty();
        ChannelPhase first = scales
                ? new ChannelPhase.Scaling(true, 1, Duration.ZERO)
                : new ChannelPhase.Draining(Color.BLUE, false);
        return started(first, roster, release.scaled() || scales);
    }

    private void requireOneVersion(String service, Color side, Roster roster, Problems problems) {
        String path = service + "." + side.label();
        String version = release.spec().version();
        List<String> versions = roster.versions(service, side);
        if (versions.isEmpty()) {
            problems.add(path, "no instance", "must have at least one that is reached and ready");
            return;
        }
        problems.require(
                versions.size() == 1, path, String.join(" and ", versions), "must be one version on all instances");
        problems.require(
                side == Color.BLUE || !versions.contains(version),
                path,
                version,
                "must be the old version, to which the release can be taken back");
    }

    /** Each service must have instances left while one of its batches is out. */
    private ChannelRelease startRolling(Strategy.Rolling rolling) {
        Roster roster = roster(fleet.all().stream());
        Problems problems = new Problems();
        for (String service : release.spec().services()) {
            long there = roster.members().stream()
                    .filter(member -> member.service().equals(service))
                    .count();
            problems.require(
                    there >= 2, service, there + " instances", "must have two or more that are reached and ready");
        }
        if (roster.members().isEmpty()) {
            throwIfAny(problems); // What follows would speak of instances that are not there.
        }
        long due = roster.members().stream()
                .filter(member -> !member.version().equals(release.spec().version()))
                .count();
        problems.require(due > 0, "version", release.spec().version(), "must be new: all instances run it already");
        problems.require(
                rolling.batches() >= 2 && rolling.batches() <= Math.max(due, 2),
                "batches",
                rolling.batches(),
                "must be within 2.." + Math.max(due, 2) + ", the instances that do not run the version");
        throwIfAny(problems);
        List<String> first = release.batches().of(roster).get(0);
        ChannelPhase batch = new ChannelPhase.Batch(0, first, ChannelPhase.Batch.Part.DRAINING, 1, Duration.ZERO);
        return started(batch, roster, release.scaled());
    }

    /** The first phase moves traffic too, so those that have to carry it must be there. */
    private ChannelRelease started(ChannelPhase first, Roster roster, boolean scaled) {
        ChannelRelease counted = new ChannelRelease(
                release.spec(), phase, roster, scaled, release.step(), release.revision(), release.stepBacks());
        List<String> obstacles = counted.obstacles(first, fleet);
        if (!obstacles.isEmpty()) {
            throw new CommandRefusedException(
                    "cannot start release " + release.id() + ": " + String.join("; ", obstacles));
        }
        return release.with(first, roster, scaled, 0);
    }

    private Roster roster(Stream<Workload> candidates) {
        return new Roster(candidates
                .filter(each -> release.spec().services().contains(each.service()))
                .filter(each -> each.isReached() && each.ready())
                .map(each -> new Roster.Member(each.service(), each.instance(), each.color(), each.version()))
                .sorted(Comparator.comparing(Roster.Member::service).thenComparing(Roster.Member::instance))
                .toList());
    }

    private void throwIfAny(Problems problems) {
        if (!problems.isEmpty()) {
            throw new CommandRefusedException("cannot start release " + release.id() + ": "
                    + problems.all().stream().map(Object::toString).collect(Collectors.joining("; ")));
        }
    }

    private ChannelRelease pause() {
        if (phase instanceof ChannelPhase.Paused) {
            return release;
        }
        boolean stands =
                phase.isOver() || phase instanceof ChannelPhase.Draft || phase instanceof ChannelPhase.Returned;
        return stands ? refuse(Command.PAUSE) : release.with(new ChannelPhase.Paused(phase, why));
    }

    private ChannelRelease resume() {
        if (phase instanceof ChannelPhase.Paused paused) {
            return release.with(forgiven(paused.inner()));
        }
        boolean stands =
                phase.isOver() || phase instanceof ChannelPhase.Draft || phase instanceof ChannelPhase.Returned;
        return stands ? refuse(Command.RESUME) : release;
    }

    /** What was served of the hold time stays served; what it was on hold beyond that is forgiven. */
    private ChannelPhase forgiven(ChannelPhase inner) {
        if (inner instanceof ChannelPhase.Batch batch) {
            return forgiven(batch);
        }
        if (!(inner instanceof ChannelPhase.Admitting admitting)) {
            return inner;
        }
        Duration hold = release.stages(admitting.side()).get(admitting.stage()).hold();
        return admitting.held().compareTo(hold) > 0
                ? new ChannelPhase.Admitting(admitting.side(), admitting.stage(), hold)
                : inner;
    }

    private ChannelPhase forgiven(ChannelPhase.Batch batch) {
        Duration between = ((Strategy.Rolling) release.spec().strategy()).between();
        return batch.part() == ChannelPhase.Batch.Part.HOLDING && batch.taken().compareTo(between) > 0
                ? new ChannelPhase.Batch(batch.index(), batch.instances(), batch.part(), batch.attempt(), between)
                : batch;
    }

    private ChannelRelease promote() {
        if (phase.isOver() || phase instanceof ChannelPhase.Draft) {
            return refuse(Command.PROMOTE);
        }
        ChannelPhase next = new Path(release).next();
        List<String> obstacles = release.obstacles(next, fleet);
        if (!obstacles.isEmpty()) {
            throw new CommandRefusedException("cannot promote release " + release.id() + " to " + next.words() + ": "
                    + String.join("; ", obstacles));
        }
        return release.with(next);
    }

    private ChannelRelease back() {
        if (!(phase.at() instanceof ChannelPhase.Admitting admitting) || admitting.side() == Color.GREEN) {
            return refuse(Command.BACK);
        }
        if (admitting.stage() == 0) {
            throw new CommandRefusedException(
                    "cannot back a release that is " + phase.words() + "; it is on its first stage: pause or abort it");
        }
        requireWayBack();
        ChannelPhase before = new ChannelPhase.Admitting(Color.BLUE, admitting.stage() - 1, Duration.ZERO);
        return release.with(new ChannelPhase.Paused(before, why));
    }

    private ChannelRelease abort() {
        if (phase instanceof ChannelPhase.Aborted || release.isRestoring()) {
            return release;
        }
        requireWayBack();
        return release.with(new Path(release).back(why));
    }

    private void requireWayBack() {
        WayBack wayBack = release.wayBack(fleet);
        if (!wayBack.isOpen()) {
            throw new CommandRefusedException(wayBack.refusal());
        }
    }

    private ChannelRelease refuse(Command command) {
        String allowed = allowed(release).stream().map(Command::label).collect(Collectors.joining(", "));
        throw new CommandRefusedException("cannot " + command.label() + " a release that is " + phase.words()
                + "; what it takes now: " + (allowed.isEmpty() ? "nothing" : allowed));
    }
}
