package io.sluice.server.access;

import io.sluice.wire.TokenRequestJson;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Tokens for operators and scripts. */
@RestController
@RequestMapping("/api/v1")
class AccessEndpoint {
    private final Tokens tokens;

    AccessEndpoint(Tokens tokens) {
        this.tokens = tokens;
    }

    @GetMapping("/whoami")
    WhoAmI whoAmI(Principal who) {
        return new WhoAmI(who.getName());
    }

    /** Makes a token and shows it, this once. */
    @PostMapping(path = "/access/tokens", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.CREATED)
    Created create(@RequestBody byte[] body) {
        String name = TokenRequestJson.readStrict(body);
        return new Created(name, tokens.create(name));
    }

    @GetMapping("/access/tokens")
    AllTokens all() {
        return new AllTokens(tokens.all().stream()
                .map(kept -> new Listed(kept.name(), kept.createdAt(), kept.lastUsedAt()))
                .toList());
    }

    @DeleteMapping("/access/tokens/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String name) {
        tokens.delete(name);
    }

    record WhoAmI(String name) {}

    record Created(String name, String token) {}

    record AllTokens(List<Listed> tokens) {}

    record Listed(String name, Instant createdAt, @Nullable Instant lastUsedAt) {}
}
