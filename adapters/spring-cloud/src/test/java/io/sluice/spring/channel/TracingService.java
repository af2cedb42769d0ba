package io.sluice.spring.channel;

import io.sluice.spring.SluiceSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * One program for order, inventory and coupon. An answer is the trace of the hops that served it, each {@code
 * service/color}, parted by blanks.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableFeignClients(clients = {TracingService.Inventory.class, TracingService.Coupon.class})
class TracingService {
    /** Holds up what {@code /orders/slow} serves. */
    static volatile CountDownLatch held = new CountDownLatch(0);

    @FeignClient(name = "inventory")
    interface Inventory {
        @GetMapping("/stock")
        String stock();
    }

    @FeignClient(name = "coupon")
    interface Coupon {
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
        private final Inventory inventory;
        private final Coupon coupon;
        private final RestTemplate template;
        private final RestClient client;

        Doors(
                SluiceSettings self,
                Inventory inventory,
                Coupon coupon,
                RestTemplate template,
                RestClient.Builder builder) {
            this.self = self;
            this.inventory = inventory;
            this.coupon = coupon;
            this.template = template;
            this.client = builder.build();
        }

        @GetMapping("/stock")
        String stock() {
            return hop();
        }

        @GetMapping("/orders")
        String order(@RequestParam String by) {
            return hop() + " " + stockOf("inventory", by) + " " + stockOf("coupon", by);
        }

        @GetMapping("/orders/slow")
        String slowOrder() throws InterruptedException {
            held.await();
            return order("feign");
        }

        /** Calls from a thread that serves no request. */
        @GetMapping("/orders/job")
        String job(@RequestParam String by) {
            CompletableFuture<String> done = new CompletableFuture<>();
            new Thread(() -> done.completeAsync(() -> order(by), Runnable::run), "job").start();
            return done.join();
        }

        private String stockOf(String service, String by) {
            String address = "http://" + service + "/stock";
            return switch (by) {
                case "template" -> template.getForObject(address, String.class);
                case "client" -> client.get().uri(address).retrieve().body(String.class);
                default -> service.equals("coupon") ? coupon.stock() : inventory.stock();
            };
        }

        private String hop() {
            return self.service() + "/"
                    + (self.color() == null ? "none" : self.color().label());
        }
    }
}
