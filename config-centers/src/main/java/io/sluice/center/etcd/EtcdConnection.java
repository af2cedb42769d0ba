package io.sluice.center.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchResponse;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client and its one watch. */
final class EtcdConnection {
    private static final System.Logger LOG = System.getLogger(EtcdConnection.class.getName());

    // A watch that ends as soon as it began is begun again by the next regular read only.
    private static final long SHORTEST_LIFE = TimeUnit.SECONDS.toNanos(1);

    private final Client client;

    // Guarded by this.
    private @Nullable Following following;
    private boolean isClosed;

    EtcdConnection(Client client) {
        this.client = client;
    }

    Client client() {
        return client;
    }

    /** Watches from a revision on, unless there is a watch already: that one has missed nothing. */
    synchronized void watchFrom(ByteSequence key, long revision, Runnable mayHaveChanged) {
        if (following == null && !isClosed) {
            Following next = new Following(mayHaveChanged);
            following = next;
            WatchOption from = WatchOption.builder().withRevision(revision).build();
            try {
                client.getWatchClient().watch(key, from, next);
            } catch (RuntimeException closing) {
                following = null;
                LOG.log(Level.DEBUG, "no watch", closing);
            }
        }
    }

    void close() {
        synchronized (this) {
            isClosed = true;
        }
        // Outside: it tells the watch, from another thread perhaps, that it is over.
        client.close();
    }

    private synchronized boolean isOver(Following ended) {
        if (ended.equals(following)) {
            following = null;
        }
        return isClosed;
    }

    /** jetcd goes on after a lost connection by itself, without a gap, and ends for all else, as for a compaction. */
    private final class Following implements Watch.Listener {
        private final Runnable mayHaveChanged;
        private final long began = System.nanoTime();

        Following(Runnable mayHaveChanged) {
            this.mayHaveChanged = mayHaveChanged;
        }

        @Override
        public void onNext(WatchResponse response) {
            mayHaveChanged.run();
        }

        @Override
        public void onError(Throwable failure) {
            LOG.log(Level.DEBUG, "the watch of etcd was disturbed", failure);
        }

        @Override
        public void onCompleted() {
            if (!isOver(this) && System.nanoTime() - began > SHORTEST_LIFE) {
                mayHaveChanged.run();
            }
        }
    }
}
