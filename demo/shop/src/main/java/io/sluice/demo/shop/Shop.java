package io.sluice.demo.shop;

import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.support.GenericApplicationContext;

/**
 * One of the shop's services: order calls inventory and coupon, coupon calls user.
 *
 * <p>Environment: SPRING_APPLICATION_NAME says which service, SLUICE_VERSION in which version (empty means stable),
 * SLUICE_COLOR on which side of its channel (empty means none), SERVER_PORT and ZOOKEEPER (host:port) where, DEMO_FAULT how
 * it misbehaves ({@code errors=6%}, {@code slow=500ms}), DEMO_FAULT_IN in which version alone.
 */
@SpringBootApplication
public class Shop {

    public static void main(String[] args) {
        // HttpURLConnection keeps five idle connections per host unless told otherwise; a caller here has 32 threads.
        System.setProperty("http.maxConnections", "32");
        start(partOrExit(), args);
    }

    private static Part partOrExit() {
        try {
            return Part.from(System.getenv());
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            throw e;
        }
    }

    private static void start(Part part, String... args) {
        var application = new SpringApplication(Shop.class);
        application.addInitializers(
                context -> ((GenericApplicationContext) context).registerBean(Part.class, () -> part));
        var context = application.run(args);
        LoggerFactory.getLogger(Shop.class)
                .info(
                        "{} {} ready on 127.0.0.1:{}",
                        part.self().service(),
                        part.self().version(),
                        context.getEnvironment().getProperty("local.server.port"));
    }
}
