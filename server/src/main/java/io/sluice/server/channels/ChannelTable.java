package io.sluice.server.channels;

import io.sluice.core.rule.Channel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Channels in the database, without what a release makes of them. What writes does so in its caller's transaction. */
@Repository
class ChannelTable {
    private final JdbcClient jdbc;

    ChannelTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** All channels, outside a release, the oldest first. */
    List<Channel> all() {
        Map<String, List<String>> services = new LinkedHashMap<>();
        jdbc.sql("select c.id, s.service from channels c join channel_service s on s.channel_id = c.id"
                        + " order by c.created, s.service")
                .query(row -> {
                    services.computeIfAbsent(row.getString("id"), any -> new ArrayList<>())
                            .add(row.getString("service"));
                });
        List<Channel> channels = new ArrayList<>();
        services.forEach((id, all) -> channels.add(Channel.of(id, all)));
        return channels;
    }

    Optional<Channel> find(String id) {
        List<String> services = jdbc.sql("select service from channel_service where channel_id = ? order by service")
                .param(id)
                .query(String.class)
                .list();
        return services.isEmpty() ? Optional.empty() : Optional.of(Channel.of(id, services));
    }

    /** The channel that a service is in; empty when it is in none. */
    Optional<String> channelOf(String service) {
        return jdbc.sql("select channel_id from channel_service where service = ?")
                .param(service)
                .query(String.class)
                .optional();
    }

    /** @throws DuplicateKeyException when the id is taken, or a service is in another channel */
    void insert(Channel channel) {
        jdbc.sql("insert into channels (id) values (?)").param(channel.id()).update();
        for (String service : channel.services()) {
            jdbc.sql("insert into channel_service (service, channel_id) values (?, ?)")
                    .params(service, channel.id())
                    .update();
        }
    }

    /** Holds a channel against its deletion until the transaction is over. @return whether it is there */
    boolean lock(String id) {
        return jdbc.sql("select id from channels where id = ? for update")
                .param(id)
                .query(String.class)
                .optional()
                .isPresent();
    }

    void delete(String id) {
        jdbc.sql("delete from channel_service where channel_id = ?").param(id).update();
        jdbc.sql("delete from channels where id = ?").param(id).update();
    }
}
