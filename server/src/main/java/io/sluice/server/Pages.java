package io.sluice.server;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Map;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.server.ResponseStatusException;

/** What no feature owns: the way to the console, the published schemas, and the last resort for errors. */
@Controller
@Hidden
class Pages implements ErrorController {
    private static final Map<String, String> SCHEMAS = Map.of(
            "rule-set", "rule-set.schema.json",
            "release", "release.schema.json",
            "channel-release", "channel-release.schema.json",
            "observations", "observations.schema.json");

    @GetMapping({"/", "/console"})
    ResponseEntity<Void> toConsole() {
        return ResponseEntity.status(HttpStatus.FOUND)
                .location(URI.create("/console/"))
                .build();
    }

    @GetMapping("/console/")
    String console() {
        return "forward:/console/index.html";
    }

    @GetMapping("/schema/{name}.json")
    ResponseEntity<Resource> schema(@PathVariable String name) {
        String file = SCHEMAS.get(name);
        if (file == null) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "there is no schema " + name);
        }
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("application/schema+json"))
                .body(new ClassPathResource("io/sluice/wire/" + file));
    }

    /** What the container itself refuses comes here; {@link ProblemHandler} gives it its shape. */
    @RequestMapping("${server.error.path:/error}")
    void error(HttpServletRequest request) {
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        throw new ResponseStatusException(
                HttpStatus.valueOf(status instanceof Integer code ? code : HttpStatus.NOT_FOUND.value()));
    }
}
