package io.sluice.server.access;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** Lets the first operator in: where there is no token yet, makes one and shows it once, or takes the given one. */
@Component
@Lazy(false)
class SetupToken implements ApplicationRunner {
    private static final Logger log = LoggerFactory.getLogger(SetupToken.class);
    private static final String NAME = "setup";

    private final Tokens tokens;
    private final String given;

    SetupToken(Tokens tokens, @Value("${sluice.setup-token:}") String given) {
        this.tokens = tokens;
        this.given = given;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        if (!tokens.all().isEmpty()) {
            if (!given.isEmpty() && tokens.nameOf(given).isEmpty()) {
                log.warn("SLUICE_SETUP_TOKEN was not taken: this server gave out its tokens already");
            }
        } else if (given.isEmpty()) {
            System.out.println("Sluice setup token (shown once): " + tokens.create(NAME));
        } else {
            tokens.add(NAME, given);
        }
    }
}
