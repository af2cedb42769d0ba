package io.sluice.demo.shop;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The service that knows the customers' standing. */
@RestController
@ConditionalOnProperty(name = "spring.application.name", havingValue = "user")
final class User {

    private final Hop self;

    User(Part part) {
        this.self = part.self();
    }

    @GetMapping("/users/{id}")
    Member member(@PathVariable String id) {
        return new Member(id, Math.floorMod(id.hashCode(), 3) == 0, self.followedBy());
    }

    record Member(String id, boolean gold, List<Hop> trace) {}
}
