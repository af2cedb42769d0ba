package io.sluice.demo.shop;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The service that knows how much there is of each SKU. */
@RestController
@ConditionalOnProperty(name = "spring.application.name", havingValue = "inventory")
final class Inventory {

    private final Hop self;

    Inventory(Part part) {
        this.self = part.self();
    }

    @GetMapping("/stock/{sku}")
    Stock stock(@PathVariable String sku) {
        return new Stock(sku, Math.floorMod(sku.hashCode(), 100), self.followedBy());
    }

    record Stock(String sku, int available, List<Hop> trace) {}
}
