package io.sluice.migration.simulation;

import java.util.Random;

/**
 * How often what goes wrong in a run, as one in so many; 0 is never.
 *
 * @param crash a process dies, at each step
 * @param suspend an actor stands still for up to half a minute, at each step
 * @param answerLost a request is served and its answer is lost
 * @param late a request or a commit is under way for so long that whoever sent it gives up
 * @param refused a side refuses a connection
 */
record Faults(int crash, int suspend, int answerLost, int late, int refused) {
    static final Faults NONE = new Faults(0, 0, 0, 0, 0);

    /** A calm world, a bad one, or one in which one thing goes wrong again and again. */
    static Faults draw(Random random) {
        return switch (random.nextInt(10)) {
            case 0 -> NONE;
            case 1 -> new Faults(40, 0, 0, 0, 0);
            case 2 -> new Faults(0, 12, 0, 0, 0);
            case 3 -> new Faults(0, 0, 5, 5, 0);
            case 4 -> new Faults(0, 0, 0, 0, 4);
            default -> new Faults(250, 100, 25, 15, 20);
        };
    }
}
