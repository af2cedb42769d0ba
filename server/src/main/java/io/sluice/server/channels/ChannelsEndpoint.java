package io.sluice.server.channels;

import io.sluice.server.audit.Reason;
import io.sluice.wire.ChannelRequest;
import io.sluice.wire.ChannelRequestJson;
import io.sluice.wire.ScaleRequest;
import io.sluice.wire.ScaleRequestJson;
import java.security.Principal;
import java.util.List;
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

/** Channels for operators: to create, to look at, to scale, to delete. */
@RestController
@RequestMapping("/api/v1/channels")
class ChannelsEndpoint {
    private final Channels channels;

    ChannelsEndpoint(Channels channels) {
        this.channels = channels;
    }

    /** Creates a channel, outside a release. */
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.CREATED)
    ChannelView create(@RequestBody byte[] body, Principal who) {
        ChannelRequest request = ChannelRequestJson.readStrict(body);
        Reason.requireOneLine(request.why());
        return channels.create(request, who.getName());
    }

    /** All channels, the oldest first. */
    @GetMapping
    AllChannels all() {
        return new AllChannels(channels.all());
    }

    @GetMapping("/{id}")
    ChannelView one(@PathVariable String id) {
        return channels.find(id);
    }

    /** Deletes a channel that has no release. */
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String id, Principal who) {
        channels.delete(id, who.getName());
    }

    /** Has a deployer bring about another number of instances on one side; how far it is, the channel shows. */
    @PostMapping(path = "/{id}/scale", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    ChannelView.Order scale(@PathVariable String id, @RequestBody byte[] body, Principal who) {
        ScaleRequest request = ScaleRequestJson.readStrict(body);
        Reason.requireOneLine(request.why());
        return channels.scale(id, request, who.getName());
    }

    record AllChannels(List<ChannelView> channels) {}
}
