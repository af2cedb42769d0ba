package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.rpc.RpcInvocation;
import org.junit.jupiter.api.Test;

@Requirement("E4")
class AttachmentsTest {
    private final RpcInvocation call = new RpcInvocation();
    private final TrafficTag tag = new TrafficTag(
            "10086",
            "app",
            List.of(new Assignment("release-1", "v2")),
            ChannelColors.of(Map.of("trade", Color.BLUE, "user", Color.GREEN)));

    @Test
    void whatIsWrittenIsRead() {
        Attachments.write(tag, call);

        assertThat(Attachments.read(call).tag()).isEqualTo(tag);
        assertThat(call.getAttachment("x-deploy-channel-type")).isEqualTo("trade%3Dblue%26user%3Dgreen");
    }

    @Test
    void namesAreReadInAnyCase() {
        Attachments.write(tag, call);
        RpcInvocation triple = new RpcInvocation();
        call.getAttachments().forEach((name, value) -> triple.setAttachment(name.toLowerCase(), value));

        assertThat(Attachments.read(triple).tag()).isEqualTo(tag);
    }

    @Test
    void aTagThatDubboHandedOnIsReplacedInAnyCase() {
        call.setAttachment("x-gray-tag", "uid=1;channel=;version=stable");
        call.setAttachment("X-Deploy-Channel-Type", "trade%3Dgreen");
        call.setAttachment("baggage", "x-deploy-channel-type=trade%3Dgreen,trace=7");

        Attachments.write(tag, call);

        assertThat(Attachments.read(call).tag()).isEqualTo(tag);
        assertThat(call.getAttachment("baggage"))
                .isEqualTo("x-deploy-channel-type=trade%3Dblue%26user%3Dgreen,trace=7");
    }

    @Test
    void aCallWithoutATagWearsNone() {
        Attachments.write(tag, call);
        call.setAttachment("baggage", "x-deploy-channel-type=trade%3Dgreen,trace=7");

        Attachments.write(TrafficTag.empty(), call);

        assertThat(call.getAttachments()).containsExactly(Map.entry("baggage", "trace=7"));
    }

    @Test
    void whatIsNoTextIsNoTag() {
        call.setObjectAttachment("X-Gray-Tag", 7);

        assertThat(Attachments.read(call).tag()).isEqualTo(TrafficTag.empty());
    }
}
