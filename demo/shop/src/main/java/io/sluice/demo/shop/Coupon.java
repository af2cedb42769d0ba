package io.sluice.demo.shop;

import io.sluice.demo.shop.User.Member;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

/** The service that grants discounts; it asks for the customer's standing with a RestTemplate. */
@RestController
@ConditionalOnProperty(name = "spring.application.name", havingValue = "coupon")
final class Coupon {

    private final Hop self;
    private final RestTemplate rest;

    Coupon(Part part, RestTemplate rest) {
        this.self = part.self();
        this.rest = rest;
    }

    @GetMapping("/coupons/{customer}")
    Discount discount(@PathVariable String customer) {
        var member = Objects.requireNonNull(
                rest.getForObject("http://user/users/{id}", Member.class, customer), "answer of user");
        return new Discount(customer, member.gold() ? 10 : 0, self.followedBy(member.trace()));
    }

    record Discount(String customer, int percentOff, List<Hop> trace) {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "spring.application.name", havingValue = "coupon")
    static class Clients {

        @Bean
        @LoadBalanced
        RestTemplate restTemplate() {
            return new RestTemplate(Timeouts.requests());
        }
    }
}
