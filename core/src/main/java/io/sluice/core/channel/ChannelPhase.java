package io.sluice.core.channel;

import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a release of a channel stands. In the order of a blue-green release: draft, scaling up, draining blue, deploying
 * blue, verifying blue, opening blue, admitting blue stage by stage, confirming, draining green, deploying green (from
 * here on there is no way back), opening green, admitting green, scaling down, completed. An abort leads to returned, and
 * from there restoring leads to aborted. Each phase can be paused.
 */
public sealed interface ChannelPhase {
    /** The word for it in files, the API and the console. */
    String label();

    /** The phase itself, or the one inside a paused or a restoring one. */
    default ChannelPhase at() {
        return this;
    }

    /** Whether nothing more happens, and the channel is free for another release. */
    default boolean isOver() {
        return false;
    }

    /** The side that it is about; null when about none. */
    default @Nullable Color side() {
        return null;
    }

    /** Where it stands in words, without how long: {@code draining blue}. */
    default String words() {
        Color side = side();
        return side == null ? label() : label() + " " + side.label();
    }

    /** Created, not started: no process knows of it. */
    record Draft() implements ChannelPhase {
        @Override
        public String label() {
            return "draft";
        }
    }

    /**
     * The deployer makes the sides larger before, or as large as they were after. @param up which of the two
     * @param attempt counts the orders given in this phase, from 1
     */
    record Scaling(boolean up, int attempt, Duration taken) implements ChannelPhase {
        @Override
        public String label() {
            return up ? "scaling-up" : "scaling-down";
        }
    }

    /**
     * A side has no share any more. First requests under way run to their end; then, when it is leaving, its instances
     * leave their registry, until nothing is seen to come for as long as the release asks.
     *
     * @param leaving whether the side's instances have been told to leave their registry
     */
    record Draining(Color side, boolean leaving) implements ChannelPhase {
        @Override
        public String label() {
            return "draining";
        }

        @Override
        public String words() {
            return ChannelPhase.super.words() + (leaving ? ", leaving" : "");
        }
    }

    /** The deployer brings the version to a side. @param attempt counts the orders given in this phase, from 1 */
    record Deploying(Color side, int attempt, Duration taken) implements ChannelPhase {
        @Override
        public String label() {
            return "deploying";
        }
    }

    /** A deployed side is checked, without traffic. */
    record Verifying(Color side) implements ChannelPhase {
        @Override
        public String label() {
            return "verifying";
        }
    }

    /** A side's instances register again, and callers get to know of them. @param openFor how long all have been there */
    record Opening(Color side, Duration openFor) implements ChannelPhase {
        @Override
        public String label() {
            return "opening";
        }
    }

    /** A side gets its share, stage by stage. @param held as for a canary's stage */
    record Admitting(Color side, int stage, Duration held) implements ChannelPhase {
        @Override
        public String label() {
            return "admitting";
        }
    }

    /** All traffic is on blue, and green still runs the old version: the last moment for a way back. */
    record Confirming() implements ChannelPhase {
        @Override
        public String label() {
            return "confirming";
        }
    }

    /**
     * One batch of a rolling release, out of the traffic from draining to verifying.
     *
     * @param index counts the batches from 0
     * @param instances their names
     * @param part what is done with them
     * @param attempt counts the orders given for this batch, from 1
     * @param taken how long this part has lasted
     */
    record Batch(int index, List<String> instances, Part part, int attempt, Duration taken) implements ChannelPhase {
        public Batch {
            instances = List.copyOf(instances);
        }

        @Override
        public String label() {
            return "batch";
        }

        @Override
        public String words() {
            return label() + " " + (index + 1) + " " + part.label();
        }

        /** What is done with a batch, in this order. */
        public enum Part {
            DRAINING,
            DEPLOYING,
            VERIFYING,
            OPENING,
            HOLDING;

            /** Whether the batch is out of the traffic. */
            boolean isResting() {
                return this == DRAINING || this == DEPLOYING || this == VERIFYING;
            }

            public String label() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }

    /** Stands still until somebody resumes it. The guard goes on watching. */
    record Paused(ChannelPhase inner, String why) implements ChannelPhase {
        @Override
        public String label() {
            return "paused";
        }

        @Override
        public String words() {
            return label() + " " + inner.words();
        }

        @Override
        public ChannelPhase at() {
            return inner.at();
        }

        @Override
        public @Nullable Color side() {
            return inner.side();
        }
    }

    /**
     * Everything is back on green. Blue still runs the new version, until somebody has it restored with {@code promote}; once
     * nobody has its color any more it leaves its registry, or callers without our adapter would go on reaching it.
     *
     * @param leaving whether blue's instances have been told to leave their registry
     */
    record Returned(String why, boolean leaving) implements ChannelPhase {
        public Returned(String why) {
            this(why, false);
        }

        @Override
        public String label() {
            return "returned";
        }

        @Override
        public String words() {
            return label() + (leaving ? ", blue leaving" : "");
        }
    }

    /** Blue gets the old version back: draining, deploying, opening. @param why of the abort */
    record Restoring(ChannelPhase inner, String why) implements ChannelPhase {
        @Override
        public String label() {
            return "restoring";
        }

        @Override
        public String words() {
            return label() + ", " + inner.words();
        }

        @Override
        public ChannelPhase at() {
            return inner.at();
        }

        @Override
        public @Nullable Color side() {
            return inner.side();
        }
    }

    /** Both sides run the new version and share the traffic; colors may mix again. */
    record Completed() implements ChannelPhase {
        @Override
        public String label() {
            return "completed";
        }

        @Override
        public boolean isOver() {
            return true;
        }
    }

    /** Both sides run the old version and share the traffic. Of a rolling release: batches that were done stay as they are. */
    record Aborted(String why) implements ChannelPhase {
        @Override
        public String label() {
            return "aborted";
        }

        @Override
        public boolean isOver() {
            return true;
        }
    }
}
