package io.sluice.center;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One document in a config centre, to read, to watch and to write. Safe for all threads.
 *
 * <p>Making one never waits for the centre: one that is not there yet is a centre that does not answer.
 */
public interface ConfigCenter extends AutoCloseable {
    /**
     * The document; empty when the key is absent or empty.
     *
     * @param within blocks at most so long
     * @throws CenterException when the centre did not answer in time, or refused
     */
    Optional<byte[]> read(Duration within);

    /**
     * Calls back, on any thread, whenever the document may have changed or the connection came back, until the watch is
     * closed. Push is for speed only: the reader reads again on its own, so a call too many or too few does no harm.
     * Never throws for a centre that is not there: it is watched as soon as it is.
     *
     * @param mayHaveChanged returns at once and never throws
     */
    Watch watch(Runnable mayHaveChanged);

    /**
     * Writes the document, whatever is there.
     *
     * @throws CenterException when it is not known to be written: it may be or not
     */
    void write(byte[] document, Duration within);

    /**
     * Writes the document if the centre still holds what the caller saw. A centre that can compare and write in one step
     * overrides this; for another it is read, write, read back, which leaves a gap that two writers can meet in. So writers
     * also look again every now and then, as {@code io.sluice.server.publishing} does.
     *
     * @param seen what a {@link #read} gave; null when it gave nothing
     * @return whether it was written; false when the centre holds something else
     * @throws CenterException when it is not known to be written: it may be or not
     */
    default boolean writeOver(byte @Nullable [] seen, byte[] document, Duration within) {
        if (!Arrays.equals(seen, read(within).orElse(null))) {
            return false;
        }
        write(document, within);
        return Arrays.equals(document, read(within).orElse(null));
    }

    @Override
    void close();

    /** Ends the calls of one {@link #watch}. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
