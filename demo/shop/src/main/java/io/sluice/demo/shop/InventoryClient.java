package io.sluice.demo.shop;

import io.sluice.demo.shop.Inventory.Stock;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The inventory as its callers see it. */
@FeignClient("inventory")
interface InventoryClient {

    @GetMapping("/stock/{sku}")
    Stock stock(@PathVariable("sku") String sku);
}
