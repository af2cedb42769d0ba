package io.sluice.core.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.guard.Health;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every release store does. Each test gets a store of its own, empty. */
public abstract class ReleaseStoreContract {
    private static final Release DRAFT = Release.draft(SampleRelease.spec("r1", "order", "user"));
    private static final Release STARTED = DRAFT.on(Command.START, "go");

    private ReleaseStore store;

    /** A new store without releases. */
    protected abstract ReleaseStore open() throws Exception;

    /** The journal entries of one release, the oldest first. */
    protected abstract List<JournalEntry> journal(ReleaseStore of, String release) throws Exception;

    /** Lets go of a store. */
    protected void close(ReleaseStore of) throws Exception {}

    @BeforeEach
    final void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    final void closeStore() throws Exception {
        close(store);
    }

    @Test
    void anEmptyStoreHasNothing() throws Exception {
        assertThat(store.find("r1")).isEmpty();
        assertThat(store.all()).isEmpty();
        assertThat(journal(store, "r1")).isEmpty();
    }

    @Test
    void aCreatedReleaseIsFoundAsItWas() {
        Release rich = Release.draft(SampleRelease.richSpec("release-2026-10", "order", "user"));

        store.create(rich, SampleRelease.entry("release-2026-10", "create"));

        assertThat(store.find("release-2026-10")).contains(rich);
        assertThat(store.all()).containsExactly(rich);
    }

    @Test
    void releasesComeInTheOrderOfTheirCreation() {
        create("r2", "a");
        create("r10", "b");
        create("r1", "c");

        assertThat(store.all()).extracting(Release::id).containsExactly("r2", "r10", "r1");
    }

    @Test
    void anIdIsUsedOnce() {
        create("r1", "order");
        store.save(List.of(state(store, Command.ABORT)), List.of());

        assertThatThrownBy(() -> create("r1", "coupon"))
                .isInstanceOf(ReleaseStore.AlreadyExistsException.class)
                .hasMessage("release r1 exists already, and an id is used once");
        assertThat(store.all()).extracting(Release::spec).containsExactly(SampleRelease.spec("r1", "order"));
    }

    @Test
    void aServiceIsInOneReleaseAtATime() throws Exception {
        create("r1", "order", "user");

        assertThatThrownBy(() -> create("r2", "coupon", "user"))
                .isInstanceOf(ReleaseStore.AlreadyExistsException.class)
                .hasMessageStartingWith("service user is in release r1 already");
        assertThat(store.find("r2")).isEmpty();
        assertThat(journal(store, "r2")).isEmpty();
    }

    @Test
    void aReleaseThatIsOverFreesItsServices() {
        create("r1", "order");
        store.save(List.of(state(store, Command.ABORT)), List.of());

        create("r2", "order");

        assertThat(store.all()).extracting(Release::id).containsExactly("r1", "r2");
    }

    @Requirement("F24")
    @Test
    void everyPhaseIsFoundAsItWas() {
        List<Phase> phases = List.of(
                new Phase.Ramping(0, Duration.ZERO),
                new Phase.Ramping(3, Duration.ofSeconds(7, 123_456_789)),
                new Phase.Paused(2, Duration.ofNanos(1), "为什么 \"why\"\n"),
                new Phase.Completed(),
                new Phase.Aborted("order: error_rate=0.0600>0.0200"));
        store.create(DRAFT, SampleRelease.entry("r1", "create"));

        long revision = 1;
        for (Phase phase : phases) {
            Release next = new Release(DRAFT.spec(), phase, 7 * revision, revision % 2 == 0, ++revision);
            assertThat(store.save(List.of(next), List.of())).isTrue();
            assertThat(store.find("r1")).contains(next);
        }
    }

    @Test
    void theJournalKeepsEverythingInOrder() throws Exception {
        JournalEntry created = SampleRelease.entry("r1", "create");
        JournalEntry other = SampleRelease.entry("r2", "create");
        JournalEntry judged = new JournalEntry(
                Instant.parse("2026-09-30T23:00:00Z"),
                "r1",
                JournalEntry.GUARD,
                "abort",
                "order: p99=512ms>300ms",
                "aborted 0%",
                SampleRelease.verdict(Health.BREACH, "p99=512ms>300ms"));
        store.create(DRAFT, created);
        store.create(Release.draft(SampleRelease.spec("r2", "coupon")), other);

        store.save(List.of(STARTED), List.of(judged, SampleRelease.entry("r1", "pause")));

        assertThat(journal(store, "r1")).containsExactly(created, judged, SampleRelease.entry("r1", "pause"));
        assertThat(journal(store, "r2")).containsExactly(other);
    }

    @Requirement("F21")
    @Test
    void whoComesSecondSavesNothing() throws Exception {
        store.create(DRAFT, SampleRelease.entry("r1", "create"));
        Release aborted = DRAFT.on(Command.ABORT, "no");

        assertThat(store.save(List.of(aborted), List.of(SampleRelease.entry("r1", "abort"))))
                .isTrue();
        assertThat(store.save(List.of(STARTED), List.of(SampleRelease.entry("r1", "start"))))
                .isFalse();

        assertThat(store.find("r1")).contains(aborted);
        assertThat(journal(store, "r1")).extracting(JournalEntry::action).containsExactly("create", "abort");
    }

    @Requirement("F21")
    @Test
    void aStateThatDoesNotFollowTheSavedOneIsNotSaved() {
        store.create(DRAFT, SampleRelease.entry("r1", "create"));
        Release skipped = STARTED.on(Command.PAUSE, "wait");

        assertThat(store.save(List.of(skipped), List.of())).isFalse();
        assertThat(store.save(List.of(DRAFT), List.of())).isFalse();
        assertThat(store.find("r1")).contains(DRAFT);
    }

    @Test
    void anUnknownReleaseIsNotSaved() {
        assertThat(store.save(List.of(STARTED), List.of())).isFalse();
        assertThat(store.find("r1")).isEmpty();
    }

    @Test
    void severalAreSavedAllOrNone() throws Exception {
        store.create(DRAFT, SampleRelease.entry("r1", "create"));
        Release second = Release.draft(SampleRelease.spec("r2", "coupon"));
        store.create(second, SampleRelease.entry("r2", "create"));
        Release tooLate = second.on(Command.START, "go").on(Command.PAUSE, "wait");
        Release inTime = second.on(Command.START, "go");

        assertThat(store.save(List.of(STARTED, tooLate), List.of(SampleRelease.entry("r1", "start"))))
                .isFalse();
        assertThat(store.all()).containsExactly(DRAFT, second);
        assertThat(journal(store, "r1")).hasSize(1);

        assertThat(store.save(List.of(STARTED, inTime), List.of())).isTrue();
        assertThat(store.all()).containsExactly(STARTED, inTime);
    }

    @Requirement({"F21", "F31"})
    @Test
    void ofManyAtOnceExactlyOneSaves() throws Exception {
        store.create(DRAFT, SampleRelease.entry("r1", "create"));
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 20; round++) {
                Release next = store.find("r1").orElseThrow().retire();

                List<Future<Boolean>> saves = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    saves.add(threads.submit(
                            () -> store.save(List.of(next), List.of(SampleRelease.entry("r1", "save")))));
                }

                assertThat(saves).filteredOn(ReleaseStoreContract::won).hasSize(1);
            }
            assertThat(journal(store, "r1")).hasSize(21);
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean won(Future<Boolean> save) {
        try {
            return save.get();
        } catch (InterruptedException | ExecutionException failure) {
            throw new AssertionError(failure);
        }
    }

    private static Release state(ReleaseStore store, Command command) {
        return store.find("r1").orElseThrow().on(command, "why");
    }

    private void create(String id, String... services) {
        store.create(Release.draft(SampleRelease.spec(id, services)), SampleRelease.entry(id, "create"));
    }
}
