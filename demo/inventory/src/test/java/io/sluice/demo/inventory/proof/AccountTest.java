package io.sluice.demo.inventory.proof;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccountTest {
    private static final Asked RESERVE = new Asked("r-1", "sku-1", 2, null);
    private static final Asked RELEASE = new Asked("x-1", "sku-1", 2, "r-1");

    private final Account account = new Account();

    @Test
    void whatWasToldAndIsInTheLedgerIsNoFault() {
        asked(RESERVE, Answer.DONE);
        asked(RELEASE, Answer.DONE);
        asked(new Asked("r-2", "sku-1", 1, null), Answer.OUT_OF_STOCK);
        Account.Audit audit = account.audit();
        audit.reserved("r-1", "sku-1", 2);
        audit.released("x-1", "r-1");

        assertThat(audit.faults()).isEmpty();
        assertThat(account.told(Answer.DONE)).isEqualTo(2);
        assertThat(account.open()).isZero();
    }

    @Test
    void anOperationOfWhichNobodyWasToldMayHaveHappenedOrNot() {
        account.asked(RESERVE);

        assertThat(account.audit().faults()).isEmpty();
        Account.Audit audit = account.audit();
        audit.reserved("r-1", "sku-1", 2);
        assertThat(audit.faults()).isEmpty();
        assertThat(account.open()).isEqualTo(1);
    }

    @Test
    void anAnsweredOperationThatTheLedgerLacksIsLost() {
        asked(RESERVE, Answer.DONE);

        assertThat(account.audit().faults()).singleElement().asString().startsWith("lost");
    }

    @Test
    void anOperationThatWasSaidNotToHappenMustNot() {
        asked(RESERVE, Answer.NOT_NOW);
        Account.Audit audit = account.audit();
        audit.reserved("r-1", "sku-1", 2);

        assertThat(audit.faults()).singleElement().asString().startsWith("happened, and");
    }

    @Test
    void anOperationHappensOnce() {
        asked(RESERVE, Answer.DONE);
        Account.Audit audit = account.audit();
        audit.reserved("r-1", "sku-1", 2);
        audit.reserved("r-1", "sku-1", 2);

        assertThat(audit.faults()).singleElement().asString().startsWith("happened twice");
    }

    @Test
    void theLedgerHoldsWhatWasAskedFor() {
        asked(RESERVE, Answer.DONE);
        asked(RELEASE, Answer.DONE);
        Account.Audit audit = account.audit();
        audit.reserved("r-1", "sku-1", 3);
        audit.released("x-1", "r-2");
        audit.reserved("r-9", "sku-1", 1);

        assertThat(audit.faults()).hasSize(3).allMatch(each -> each.startsWith("never asked for"));
    }

    private void asked(Asked operation, Answer answer) {
        account.asked(operation);
        account.told(operation.id(), answer);
    }
}
