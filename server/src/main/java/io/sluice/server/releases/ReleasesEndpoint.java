package io.sluice.server.releases;

import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Command;
import io.sluice.server.audit.Reason;
import io.sluice.server.channels.ChannelReleaseView;
import io.sluice.server.channels.ChannelReleases;
import io.sluice.server.ledger.ShownRelease;
import io.sluice.wire.ChannelReleaseRequest;
import io.sluice.wire.ChannelReleaseSpecJson;
import io.sluice.wire.CommandRequest;
import io.sluice.wire.CommandRequestJson;
import io.sluice.wire.ReleaseRequest;
import io.sluice.wire.ReleaseSpecJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
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
    private final ChannelReleases channels;

    ReleasesEndpoint(Releases releases, ChannelReleases channels) {
        this.releases = releases;
        this.channels = channels;
    }

    /** Creates a release, not started: of canary instances, or of a channel if the document has its strategy. */
    @Operation(
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            content = {
                                @Content(schema = @Schema(ref = "/schema/release.json")),
                                @Content(schema = @Schema(ref = "/schema/channel-release.json"))
                            }))
    @ApiResponse(
            responseCode = "201",
            content = @Content(schema = @Schema(oneOf = {ReleaseView.class, ChannelReleaseView.class})))
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.CREATED)
    ShownRelease create(@RequestBody byte[] body, Principal who) {
        if (ChannelReleaseSpecJson.isMeant(body)) {
            ChannelReleaseRequest request = ChannelReleaseSpecJson.readRequest(body);
            Reason.requireOneLine(request.why());
            return channels.create(request, who.getName());
        }
        ReleaseRequest request = ReleaseSpecJson.readRequest(body);
        Reason.requireOneLine(request.why());
        return releases.create(request.spec(), who.getName(), request.why());
    }

    /** All releases, of whatever strategy, the newest first. */
    @GetMapping
    AllReleases all() {
        return new AllReleases(releases.all());
    }

    @ApiResponse(
            responseCode = "200",
            content = @Content(schema = @Schema(oneOf = {ReleaseView.class, ChannelReleaseView.class})))
    @GetMapping("/{id}")
    ShownRelease one(@PathVariable String id) {
        return releases.find(id);
    }

    /** Commands a release; when it answers, the result is on the disk. */
    @ApiResponse(
            responseCode = "200",
            content = @Content(schema = @Schema(oneOf = {ReleaseView.class, ChannelReleaseView.class})))
    @PostMapping(path = "/{id}/{command}", consumes = MediaType.APPLICATION_JSON_VALUE)
    ShownRelease command(
            @PathVariable String id, @PathVariable String command, @RequestBody byte[] body, Principal who) {
        Command known = Stream.of(Command.values())
                .filter(each -> each.label().equals(command))
                .findFirst()
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "there is no command " + command));
        CommandRequest request = CommandRequestJson.readStrict(body);
        Reason.requireOneLine(request.why());
        if (NEED_REASON.contains(known) && request.why().isBlank()) {
            throw new RefusedException("why", "empty", "must say why, for the journal");
        }
        return releases.command(id, known, who.getName(), request);
    }

    /** What became of a release, stage by stage. */
    @GetMapping("/{id}/report")
    ReleaseReport report(@PathVariable String id) {
        return releases.report(id);
    }

    record AllReleases(
            @ArraySchema(schema = @Schema(oneOf = {ReleaseView.class, ChannelReleaseView.class}))
            List<ShownRelease> releases) {}
}
