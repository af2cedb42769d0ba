package io.sluice.server.releases;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Command;
import io.sluice.core.release.UnknownReleaseException;
import io.sluice.wire.CommandRequest;
import io.sluice.wire.CommandRequestJson;
import io.sluice.wire.ReleaseRequest;
import io.sluice.wire.ReleaseSpecJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Releases for operators: to create, to look at, to command. */
@RestController
@RequestMapping("/api/v1/releases")
class ReleasesEndpoint {
    private static final Set<Command> NEED_REASON =
            EnumSet.of(Command.ABORT, Command.PAUSE, Command.BACK, Command.PROMOTE);

    private final Releases releases;

    ReleasesEndpoint(Releases releases) {
        this.releases = releases;
    }

    /** Creates a release, not started. */
    @Operation(
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            content = @Content(schema = @Schema(ref = "/schema/release.json"))))
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.CREATED)
    ReleaseView create(@RequestBody byte[] body, Principal who) {
        ReleaseRequest request = ReleaseSpecJson.readRequest(body);
        requireOneLine(request.why());
        return releases.create(request.spec(), who.getName(), request.why());
    }

    @GetMapping
    AllReleases all() {
        return new AllReleases(releases.all());
    }

    @GetMapping("/{id}")
    ReleaseView one(@PathVariable String id) {
        return releases.find(id);
    }

    /** Commands a release; when it answers, the result is on the disk. */
    @PostMapping(path = "/{id}/{command}", consumes = MediaType.APPLICATION_JSON_VALUE)
    ReleaseView command(
            @PathVariable String id, @PathVariable String command, @RequestBody byte[] body, Principal who) {
        Command known = Stream.of(Command.values())
                .filter(each -> each.label().equals(command))
                .findFirst()
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "there is no command " + command));
        CommandRequest request = CommandRequestJson.readStrict(body);
        requireOneLine(request.why());
        if (NEED_REASON.contains(known) && request.why().isBlank()) {
            throw new RefusedException("why", "empty", "must say why, for the journal");
        }
        return releases.command(id, known, who.getName(), request);
    }

    /** What became of a release, stage by stage. */
    @GetMapping("/{id}/report")
    ReleaseReport report(@PathVariable String id) {
        return releases.report(id).orElseThrow(() -> new UnknownReleaseException(id));
    }

    /** A reason ends in logs, headers and terminals, so nothing in it may act there. */
    private static void requireOneLine(String why) {
        Problems problems = new Problems();
        boolean oneLine = why.chars().noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
        problems.require(oneLine, "why", why, "must be one line without control characters");
        // Half a character would take more bytes than any whole one, and is none.
        boolean whole = StandardCharsets.UTF_8.newEncoder().canEncode(why);
        problems.require(whole, "why", "with half a character", "must be of whole characters");
        problems.throwIfAny();
    }

    record AllReleases(List<ReleaseView> releases) {}
}
