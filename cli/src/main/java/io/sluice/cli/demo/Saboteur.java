package io.sluice.cli.demo;

import io.sluice.cli.demo.process.Fleet;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Kills in the middle of the release what the user asked for, and does what an operator would do then. */
final class Saboteur {
    private static final int FROM_STAGE = 2;
    private static final Duration RESTART_LIMIT = Duration.ofMinutes(1);
    private static final Duration OBSERVED = Duration.ofSeconds(6);
    private static final String NO_INSTANCE = "the only instance of " + Lineup.CANARY_ORDER + " was killed";

    private final Kill kill;
    private final Fleet fleet;
    private final Lineup lineup;
    private final ControlPlane server;
    private final Progress progress;
    private boolean killed;
    private long killedAtNanos;

    Saboteur(Kill kill, Fleet fleet, Lineup lineup, ControlPlane server, Progress progress) {
        this.kill = kill;
        this.fleet = fleet;
        this.lineup = lineup;
        this.server = server;
        this.progress = progress;
    }

    void act(ReleaseState release) throws IOException, InterruptedException {
        if (kill == Kill.NOTHING) {
            return;
        }
        if (!killed && isInTheMiddle(release)) {
            kill();
        } else if (killed && kill == Kill.CANARY && isSeenToHold(release)) {
            progress.tell("the release holds at " + release.percent() + "% and is aborted by hand");
            server.abort(NO_INSTANCE);
        }
    }

    private static boolean isInTheMiddle(ReleaseState release) {
        return release.stages().indexOf(release.percent()) >= FROM_STAGE
                && !release.held().isZero();
    }

    private void kill() throws IOException, InterruptedException {
        killed = true;
        killedAtNanos = System.nanoTime();
        if (kill == Kill.CANARY) {
            fleet.kill(Lineup.CANARY_ORDER);
            progress.tell(Lineup.CANARY_ORDER
                    + " was killed; its customers go to stable, and no stage passes without its data");
            return;
        }
        fleet.kill(Lineup.SERVER);
        progress.tell("the server was killed; the customers must not notice");
        fleet.start(List.of(lineup.server()), RESTART_LIMIT, (program, took) -> {});
        progress.tell("the server is back on its data");
    }

    /** No verdict but a hold is possible without the instance; it is shown for a while before it ends. */
    private boolean isSeenToHold(ReleaseState release) {
        return System.nanoTime() - killedAtNanos > OBSERVED.toNanos()
                && release.health().equals("HOLD");
    }
}
