package io.sluice.cli.demo.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.demo.migration.Ledgers.Entry;
import io.sluice.cli.demo.migration.Sale.Known;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditTest {
    private static final int STOCKED = 10;
    private static final Sale HELD = new Sale("r-1", "sku-1", 3, Known.DONE, Known.NOT_TRIED);
    private static final Sale GIVEN_BACK = new Sale("r-2", "sku-1", 2, Known.DONE, Known.DONE);
    private static final Entry RESERVED = new Entry("sku-1", 3, "RESERVED", null);
    private static final Entry RELEASED = new Entry("sku-1", 2, "RELEASED", "x-r-2");

    @Test
    void whatWasPromisedAndIsThereIsClean() {
        Audit audit = audit(List.of(HELD, GIVEN_BACK), Map.of("r-1", RESERVED, "r-2", RELEASED), 7);

        assertThat(audit.isClean()).isTrue();
        assertThat(audit.promised()).isEqualTo(2);
        assertThat(audit.released()).isEqualTo(1);
        assertThat(audit.samples()).isEmpty();
    }

    @Test
    void unitsThatArePromisedAndStillForSaleAreSoldTwice() {
        Audit audit = audit(List.of(HELD), Map.of("r-1", RESERVED), 9);

        assertThat(audit.soldTwice()).isEqualTo(2);
        assertThat(audit.isClean()).isFalse();
        assertThat(audit.samples()).containsExactly("sku-1: 9 for sale and 3 promised of 10");
    }

    @Test
    void oneSkuDoesNotMakeUpForAnother() {
        Audit audit = Audit.of(List.of(), Map.of(), Map.of("sku-1", 11L, "sku-2", 8L), STOCKED);

        assertThat(audit.soldTwice()).isEqualTo(1);
        assertThat(audit.gone()).isEqualTo(2);
    }

    @Test
    void anAcknowledgedReservationThatTheOwnerLacksIsMissing() {
        assertThat(audit(List.of(HELD), Map.of(), 7).missing()).isEqualTo(1);
        assertThat(audit(List.of(HELD), Map.of("r-1", new Entry("sku-1", 1, "RESERVED", null)), 7)
                        .missing())
                .isEqualTo(1);
        assertThat(audit(List.of(HELD), Map.of("r-1", new Entry("sku-1", 3, "RELEASED", "x-9")), 7)
                        .missing())
                .isEqualTo(1);
    }

    @Test
    void anAcknowledgedReleaseThatTheOwnerLacksIsMissing() {
        assertThat(audit(List.of(GIVEN_BACK), Map.of("r-2", new Entry("sku-1", 2, "RESERVED", null)), 10)
                        .missing())
                .isEqualTo(1);
        assertThat(audit(List.of(GIVEN_BACK), Map.of("r-2", new Entry("sku-1", 2, "RELEASED", "x-r-9")), 10)
                        .missing())
                .isEqualTo(1);
    }

    @Test
    void aReservationThatNobodyWasPromisedIsInvented() {
        Sale refused = new Sale("r-1", "sku-1", 3, Known.NOTHING, Known.NOT_TRIED);

        assertThat(audit(List.of(refused), Map.of("r-1", RESERVED), 7).invented())
                .isEqualTo(1);
        assertThat(audit(List.of(), Map.of("r-7", RESERVED), 7).invented()).isEqualTo(1);
        assertThat(audit(List.of(refused), Map.of("r-1", new Entry("sku-1", 0, "CANCELLED", null)), 10)
                        .isClean())
                .isTrue();
    }

    @Test
    void whatNobodyKnowsIsNotSettled() {
        Sale unknown = new Sale("r-1", "sku-1", 3, Known.UNKNOWN, Known.NOT_TRIED);

        Audit audit = audit(List.of(unknown), Map.of("r-1", RESERVED), 10);

        assertThat(audit.unsettled()).isEqualTo(1);
        assertThat(audit.isClean()).isFalse();
    }

    private static Audit audit(List<Sale> sales, Map<String, Entry> ledger, long available) {
        return Audit.of(sales, ledger, Map.of("sku-1", available), STOCKED);
    }
}
