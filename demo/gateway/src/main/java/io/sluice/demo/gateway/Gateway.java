package io.sluice.demo.gateway;

import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The shop's gateway. Environment: SERVER_PORT and ZOOKEEPER (host:port); the routes are in application.yml. */
@SpringBootApplication
public class Gateway {

    public static void main(String[] args) {
        var context = SpringApplication.run(Gateway.class, args);
        LoggerFactory.getLogger(Gateway.class)
                .info("gateway ready on 127.0.0.1:{}", context.getEnvironment().getProperty("local.server.port"));
    }
}
