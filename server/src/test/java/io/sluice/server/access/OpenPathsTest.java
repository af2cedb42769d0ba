package io.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenPathsTest {
    private final OpenPaths open = OpenPaths.withDataPlane("open");

    @ParameterizedTest
    @CsvSource({
        "GET,/,true",
        "GET,/console/,true",
        "GET,/console/app/main.js,true",
        "GET,/schema/release.json,true",
        "GET,/api/v1/rules,true",
        "POST,/api/v1/observations,true",
        "POST,/api/v1/workloads,true",
        "POST,/api/v1/migrations/inventory/reports,true",
        "GET,/api/v1/migrations/inventory/reports,false",
        "POST,/api/v1/migrations/inventory,false",
        "POST,/api/v1/migrations/inventory/observe,false",
        "POST,/api/v1/migrations/a/b/reports,false",
        "POST,/api/v1/migrations/%69/reports,false",
        "POST,/api/v1/migrations/../reports,false",
        "GET,/api/v1/observations,false",
        "GET,/api/v1/workloads,false",
        "DELETE,/api/v1/workloads,false",
        "POST,/api/v1/workloads/order@here,false",
        "POST,/api/v1/rules,false",
        "GET,/api/v1/releases,false",
        "DELETE,/console/,false",
        "get,/console/,false",
        "GET,/console/../api/v1/releases,false",
        "GET,/console/.hidden,false",
        "GET,/console/%61,false",
        "GET,/console//x,false",
        "GET,/console/x;a=b,false",
        "GET,/consolex,false",
        "GET,/Console/,false",
        "GET,'',false"
    })
    void onlyWhatIsListedIsOpen(String method, String uri, boolean isOpen) {
        assertThat(open.has(method, uri)).isEqualTo(isOpen);
    }

    @Test
    void theDataPlaneMayAskForATokenToo() {
        OpenPaths closed = OpenPaths.withDataPlane("token");

        assertThat(closed.has("GET", "/api/v1/rules")).isFalse();
        assertThat(closed.has("POST", "/api/v1/observations")).isFalse();
        assertThat(closed.has("POST", "/api/v1/workloads")).isFalse();
        assertThat(closed.has("POST", "/api/v1/migrations/inventory/reports")).isFalse();
        assertThat(closed.has("GET", "/console/")).isTrue();
    }

    @Test
    void aMisspeltSettingOpensNothing() {
        assertThatThrownBy(() -> OpenPaths.withDataPlane("tokn"))
                .isInstanceOf(RefusedException.class)
                .hasMessage("sluice.access.data-plane was tokn, but must be open or token");
    }
}
