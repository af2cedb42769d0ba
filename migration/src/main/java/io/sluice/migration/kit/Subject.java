package io.sluice.migration.kit;

import static io.sluice.migration.kit.Expect.expect;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;

/** A key of its own for one attempt, and who owns it. */
final class Subject<B extends Branch, T> {
    private final Trial<B, T> trial;
    private final String key;
    private Side side = Side.LEGACY;

    Subject(Trial<B, T> trial, Side owner) {
        this.trial = trial;
        this.key = trial.fixture().freshKey();
        if (owner == Side.NEW) {
            move();
        }
    }

    String key() {
        return key;
    }

    /** Who owns it, as far as this attempt knows. */
    Side side() {
        return side;
    }

    /** The side that owns it. */
    B branch() {
        return trial.branch(side);
    }

    /** Takes note of moves that others have made. */
    void follow() {
        side = trial.owners().of(key).side();
    }

    long epoch() {
        return trial.owners().of(key).epoch();
    }

    Grant grant() {
        return Grant.of(key, side, epoch());
    }

    void move() {
        move(trial.fixture().copy());
    }

    void move(KeyCopy<T> copy) {
        Owned now = trial.complete(
                trial.owners().freeze(key, side.other(), Plan.start("kit").epoch()), copy);
        expect(
                now.side() == side.other(),
                "the key could not be moved to " + side.other().label());
        side = now.side();
    }

    Object write(String operationId) {
        return trial.fixture().write(branch(), grant(), operationId);
    }

    Object undo(String operationId, String writeId) {
        return trial.fixture().undo(branch(), grant(), operationId, writeId);
    }

    Versioned<?> read() {
        return trial.fixture().read(branch(), grant());
    }

    State state() {
        return new State(held(Side.LEGACY), held(Side.NEW));
    }

    private Object held(Side at) {
        try {
            return trial.fixture().read(trial.branch(at), Grant.shadow(key, at));
        } catch (BusinessAnswerException unknown) {
            return "nothing";
        }
    }

    void expectOutcome(String operationId, Outcome expected) {
        Outcome outcome = branch().outcome(grant(), operationId);
        expect(outcome == expected, "the outcome was " + outcome + " where it should be " + expected);
    }
}
