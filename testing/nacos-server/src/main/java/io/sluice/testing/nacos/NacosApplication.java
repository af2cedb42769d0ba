package io.sluice.testing.nacos;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.web.servlet.ServletComponentScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * Nacos as one process with its own embedded database. Spring Security stands aside: with its defaults the open API would
 * ask for a generated password.
 */
@SpringBootApplication(
        scanBasePackages = "com.alibaba.nacos",
        exclude = {
            SecurityAutoConfiguration.class,
            UserDetailsServiceAutoConfiguration.class,
            ManagementWebSecurityAutoConfiguration.class
        })
@ServletComponentScan("com.alibaba.nacos")
@EnableScheduling
public class NacosApplication {
    public static void main(String[] args) throws SQLException {
        System.setProperty("nacos.standalone", "true");
        makeDatabase();
        SpringApplication.run(NacosApplication.class, args);
    }

    /** Before Nacos does, which gives up after 10 s; on a busy machine a database takes longer to come up. */
    private static void makeDatabase() throws SQLException {
        Path database = Path.of(System.getProperty("nacos.home"), "data", "derby-data");
        DriverManager.getConnection("jdbc:derby:" + database + ";create=true", "nacos", "nacos")
                .close();
    }
}
