package io.sluice.demo.shop;

import io.sluice.demo.shop.Coupon.Discount;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** The service that customers order from; it asks the inventory with Feign and the coupons with a RestClient. */
@RestController
@ConditionalOnProperty(name = "spring.application.name", havingValue = "order")
final class Order {

    private final Hop self;
    private final InventoryClient inventory;
    private final RestClient rest;

    Order(Part part, InventoryClient inventory, RestClient.Builder rest) {
        this.self = part.self();
        this.inventory = inventory;
        this.rest = rest.build();
    }

    @GetMapping("/orders/{id}")
    Quote quote(@PathVariable String id) {
        var stock = inventory.stock("sku-" + id);
        var discount = discount("customer-" + id);
        return new Quote(
                id, stock.available(), discount.percentOff(), self.followedBy(stock.trace(), discount.trace()));
    }

    private Discount discount(String customer) {
        var answer =
                rest.get().uri("http://coupon/coupons/{customer}", customer).retrieve();
        return Objects.requireNonNull(answer.body(Discount.class), "answer of coupon");
    }

    record Quote(String id, int available, int percentOff, List<Hop> trace) {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "spring.application.name", havingValue = "order")
    @EnableFeignClients(clients = InventoryClient.class)
    static class Clients {

        @Bean
        @LoadBalanced
        RestClient.Builder restClientBuilder() {
            return RestClient.builder().requestFactory(Timeouts.requests());
        }
    }
}
