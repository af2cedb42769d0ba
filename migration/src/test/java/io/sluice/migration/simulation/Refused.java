package io.sluice.migration.simulation;

import io.sluice.migration.branch.BusinessAnswerException;

/** A side has said no, and has kept that as its answer. */
final class Refused extends BusinessAnswerException {
    private static final long serialVersionUID = 1L;

    private final Row.Answer answer;

    Refused(Row.Answer answer) {
        super(answer.name());
        this.answer = answer;
    }

    Row.Answer answer() {
        return answer;
    }
}
