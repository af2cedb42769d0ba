package io.sluice.bench.moves;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.demo.inventory.proof.Answer;
import io.sluice.demo.inventory.proof.Asked;
import io.sluice.demo.inventory.proof.Hearing;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the customers of one router asked for and were told, written to a file at once, so that it outlives {@code kill -9} of the
 * router. Safe for use by many threads.
 */
final class Journal implements Hearing, AutoCloseable {
    /**
     * How an operation went.
     *
     * @param nanos from asking to being told
     * @param frozenNanos of that since its key was first met frozen; 0 when it was not
     * @param frozen how often a fence has refused it because its key was being moved
     * @param behind how often because its router did not know that the key had moved
     */
    record Told(String id, Answer answer, long nanos, long frozenNanos, int frozen, int behind) {}

    /** Who reads a journal. */
    interface Reader {
        void asked(Asked operation);

        void told(Told told);
    }

    private final OutputStream file;
    private final ThreadLocal<NotedInventory.Refusals> refusals;
    private final ThreadLocal<Long> begun = ThreadLocal.withInitial(System::nanoTime);
    private final AtomicLong written = new AtomicLong();

    Journal(Path file, ThreadLocal<NotedInventory.Refusals> refusals) throws IOException {
        this.file = new FileOutputStream(file.toFile(), true);
        this.refusals = refusals;
    }

    /** How many operations have happened. */
    long happened() {
        return written.get();
    }

    @Override
    public void asked(Asked operation) {
        String reservation = operation.reservationId() == null ? "-" : operation.reservationId();
        write("? " + operation.id() + " " + operation.sku() + " " + operation.quantity() + " " + reservation);
        refusals.get().begin();
        begun.set(System.nanoTime());
    }

    @Override
    public void told(String id, Answer answer) {
        NotedInventory.Refusals met = refusals.get();
        write(answer + " " + id + " " + (System.nanoTime() - begun.get()) + " " + met.frozenNanos() + " " + met.frozen()
                + " " + met.behind());
        if (answer == Answer.DONE) {
            written.incrementAndGet();
        }
    }

    private void write(String line) {
        try {
            // One write each, so that a line is there as a whole or not at all.
            file.write((line + "\n").getBytes(UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static void read(Path file, Reader reader) throws IOException {
        for (String line : Files.readAllLines(file, UTF_8)) {
            String[] word = line.split(" ");
            if (word[0].equals("?")) {
                reader.asked(
                        new Asked(word[1], word[2], Integer.parseInt(word[3]), word[4].equals("-") ? null : word[4]));
            } else {
                reader.told(new Told(
                        word[1],
                        Answer.valueOf(word[0]),
                        Long.parseLong(word[2]),
                        Long.parseLong(word[3]),
                        Integer.parseInt(word[4]),
                        Integer.parseInt(word[5])));
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
