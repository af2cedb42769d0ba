package io.sluice.migration.kit;

import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.branch.Versioned;
import java.util.List;
import java.util.concurrent.Callable;

/** What is held against what was promised; a promise that is not kept ends its attempt. */
final class Expect {
    private Expect() {}

    static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new Refuted(otherwise);
        }
    }

    static void expectSame(State before, State after, String when) {
        expect(before.equals(after), "when " + when + ", " + before + " became " + after);
    }

    static void expectAnswer(Object expected, Ended ended, String what) {
        expect(expected.equals(ended.answer()), what + " was answered with " + expected + ", then with " + ended);
    }

    static void expectAllDone(List<Ended> ends) {
        List<Ended> failed = ends.stream().filter(each -> !each.isAnswer()).toList();
        expect(failed.isEmpty(), "of " + ends.size() + " threads ended with an error: " + failed);
    }

    static void expectNever(Subject<?, ?> subject, State before, Callable<Object> operation) {
        Ended ended = Ended.of(operation);
        expect(!ended.isAnswer(), "it was said not to happen, and then ended with " + ended);
        expect(
                !(ended.thrown() instanceof UnknownOutcomeException),
                "it was said not to happen, and then its outcome was unknown");
        expectSame(before, subject.state(), "it was said not to happen, and sent again");
    }

    static String versions(String what, Versioned<?> before, Versioned<?> after) {
        return what + " took it from " + before.value() + " at version " + before.version() + " to " + after.value()
                + " at version " + after.version();
    }
}
