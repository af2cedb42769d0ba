package io.sluice.bench;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The split as it was first published, translated line by line, for comparison: a lock, and bytes made anew each time. */
final class LockingRouter {
    record Request(String customerId, String requestId) {}

    record Decision(String version, int bucket, String reason) {}

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final int percent;
    private final String salt;
    private final Set<String> allow = new HashSet<>();
    private boolean aborted;
    private String abortReason = "";

    LockingRouter(int percent, String salt) {
        this.percent = percent;
        this.salt = salt;
    }

    void allow(String customerId) {
        lock.writeLock().lock();
        try {
            allow.add(customerId);
        } finally {
            lock.writeLock().unlock();
        }
    }

    void abort(String reason) {
        lock.writeLock().lock();
        try {
            aborted = true;
            abortReason = reason;
        } finally {
            lock.writeLock().unlock();
        }
    }

    Decision route(Request request) {
        lock.readLock().lock();
        try {
            String key = request.customerId;
            if (key.isEmpty()) {
                key = request.requestId;
            }
            int bucket = bucket(salt, key);
            if (aborted) {
                return new Decision("stable", bucket, "abort:" + abortReason);
            }
            if (allow.contains(request.customerId) && !request.customerId.isEmpty()) {
                return new Decision("canary", bucket, "customer_allowlist");
            }
            if (bucket < percent * 100) {
                return new Decision("canary", bucket, "weight");
            }
            return new Decision("stable", bucket, "weight");
        } finally {
            lock.readLock().unlock();
        }
    }

    static int bucket(String salt, String key) {
        int hash = write(0x811c9dc5, salt.getBytes(StandardCharsets.UTF_8));
        hash = write(hash, new byte[] {0});
        hash = write(hash, key.getBytes(StandardCharsets.UTF_8));
        return Integer.remainderUnsigned(hash, 10_000);
    }

    private static int write(int state, byte[] bytes) {
        int hash = state;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * 0x01000193;
        }
        return hash;
    }
}
