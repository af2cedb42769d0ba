package io.sluice.spring.shop;

import io.sluice.core.propagation.TagContext;
import io.sluice.spring.SluiceSettings;
import java.util.concurrent.Callable;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * One program for both services of the test's shop. An answer is the trace of the hops that served it, each {@code
 * service/version/customer/lane}, parted by blanks.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableFeignClients(clients = OrderAndInventory.InventoryByFeign.class)
class OrderAndInventory {

    @FeignClient(name = "inventory")
    interface InventoryByFeign {
        @GetMapping("/stock")
        String stock();
    }

    @Bean
    @LoadBalanced
    RestTemplate template() {
        return new RestTemplate();
    }

    @Bean
    @LoadBalanced
    RestClient.Builder builder() {
        return RestClient.builder();
    }

    @RestController
    static final class Doors {
        private final SluiceSettings self;
        private final InventoryByFeign feign;
        private final RestTemplate template;
        private final RestClient client;

        Doors(SluiceSettings self, InventoryByFeign feign, RestTemplate template, RestClient.Builder builder) {
            this.self = self;
            this.feign = feign;
            this.template = template;
            this.client = builder.build();
        }

        @GetMapping("/stock")
        String stock() {
            return hop();
        }

        @GetMapping("/orders")
        String order(@RequestParam String by) {
            String before = hop();
            String inventory =
                    switch (by) {
                        case "feign" -> feign.stock();
                        case "template" -> template.getForObject("http://inventory/stock", String.class);
                        case "client" ->
                            client.get()
                                    .uri("http://inventory/stock")
                                    .retrieve()
                                    .body(String.class);
                        case "old" -> template.getForObject("http://old/stock", String.class);
                        default -> throw new Broken(by);
                    };
            return before.equals(hop()) ? before + " " + inventory : "changed under way: " + before + " " + hop();
        }

        @GetMapping("/orders/later")
        Callable<String> later() {
            return this::hop;
        }

        private String hop() {
            return self.service() + "/" + self.version() + "/"
                    + TagContext.current().uid() + "/" + MDC.get("sluice.lane");
        }
    }

    /** A request that nobody can serve. */
    @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
    static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Broken(String message) {
            super(message);
        }
    }
}
