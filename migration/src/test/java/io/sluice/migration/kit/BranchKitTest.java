package io.sluice.migration.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.migration.kit.BranchKit.Broken;
import io.sluice.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Requirement({"I2", "I11"})
class BranchKitTest {
    @Test
    void branchesThatKeepTheContractPass() {
        assertThat(BranchKit.broken(new CounterFixture(null))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aFlawIsFoundByTheNameOfThePromiseThatItBreaks(Flaw flaw) {
        assertThat(BranchKit.broken(new CounterFixture(flaw)))
                .extracting(Broken::promise)
                .contains(flaw.promise());
    }

    @Test
    void everyPromiseHasAFlawThatBreaksIt() {
        assertThat(Flaw.values()).extracting(Flaw::promise).contains(BranchKit.Promise.values());
    }

    @Test
    void allBrokenPromisesAreToldAtOnce() {
        assertThatThrownBy(() -> BranchKit.verify(new CounterFixture(Flaw.FORGETS_IDS)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("SAME_ID_HAPPENS_ONCE at new")
                .hasMessageContaining("SAME_ID_AT_ONCE_HAPPENS_ONCE at new")
                .hasMessageNotContaining("at legacy (a write changes");
    }
}
