package io.sluice.demo.inventory.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What customers have asked for and what they were told, to be held against the ledgers. Safe for use by many threads. */
public final class Account implements Hearing {
    private final Map<String, Asked> asked = new HashMap<>();
    private final Map<String, Answer> told = new HashMap<>();

    @Override
    public synchronized void asked(Asked operation) {
        asked.put(operation.id(), operation);
    }

    @Override
    public synchronized void told(String id, Answer answer) {
        told.put(id, answer);
    }

    /** How many operations were asked for. */
    public synchronized long size() {
        return asked.size();
    }

    /** How many operations got this answer. */
    public synchronized long told(Answer answer) {
        return told.values().stream().filter(each -> each == answer).count();
    }

    /** How many operations nobody was told of. */
    public synchronized long open() {
        return asked.size() - told.size();
    }

    /** With what was heard so far. */
    synchronized Audit audit() {
        return new Audit(Map.copyOf(asked), Map.copyOf(told));
    }

    /** Used by one thread. */
    static final class Audit {
        private final Map<String, Asked> asked;
        private final Map<String, Answer> told;
        private final Set<String> found = new HashSet<>();
        private final List<String> faults = new ArrayList<>();

        private Audit(Map<String, Asked> asked, Map<String, Answer> told) {
            this.asked = asked;
            this.told = told;
        }

        /** A ledger has this reservation. */
        void reserved(String id, String sku, int quantity) {
            happened(id, new Asked(id, sku, quantity, null));
        }

        /** A ledger has this reservation as released by that operation. */
        void released(String id, String reservationId) {
            @Nullable Asked release = asked.get(id);
            happened(
                    id,
                    release == null
                            ? new Asked(id, "", 0, reservationId)
                            : new Asked(id, release.sku(), release.quantity(), reservationId));
        }

        private void happened(String id, Asked inLedger) {
            if (!found.add(id)) {
                faults.add("happened twice: " + inLedger);
            }
            if (!inLedger.equals(asked.get(id))) {
                faults.add("never asked for: " + inLedger);
            }
            if (told.getOrDefault(id, Answer.DONE) != Answer.DONE) {
                faults.add("happened, and the customer was told that it did not: " + inLedger);
            }
        }

        List<String> faults() {
            told.forEach((id, answer) -> {
                if (answer == Answer.DONE && !found.contains(id)) {
                    faults.add("lost, and the customer was told that it happened: " + asked.get(id));
                }
            });
            return faults;
        }
    }
}
