package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.decision.Percent;
import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.StrictTagStorage;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.metadata.MetadataService;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServingFilterTest {
    private final FrameworkModel framework = new FrameworkModel();
    private final ApplicationModel application = framework.newApplication();
    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final List<String> observed = new ArrayList<>();
    private final StrictTagStorage storage = new StrictTagStorage();
    private final Scope strict = TagContext.use(storage);
    private final RpcInvocation call = new RpcInvocation();
    private final ServingFilter filter = new ServingFilter(application);
    private SluiceDubbo sluice;

    @BeforeEach
    void install() {
        Flow flow = new Flow(
                "release-1", "v2", Color.BLUE, Percent.of(0), null, 1, Duration.ofSeconds(1), Duration.ofSeconds(30));
        rules.offer(RuleSet.of(1, 1, List.of(), List.of(new Channel("trade", List.of("order"), flow, Set.of()))));
        Self self = new Self("order", "v1", Color.BLUE, "order@127.0.0.1:20880");
        sluice = SluiceDubbo.install(application, rules, self, tag -> {
            observed.add("begin " + tag.colors());
            return (latencyNanos, failed) -> observed.add(failed ? "failed" : "ok");
        });
    }

    @AfterEach
    void end() {
        strict.close();
        storage.assertNoLeaks();
        framework.destroy();
    }

    @Test
    @Requirement("E7")
    void aCallWithoutAColorGetsThatOfTheProvider() {
        Result result = filter.invoke(provider(Hop.class, answering(new AppResponse("done"))), call);

        assertThat(result.getValue()).isEqualTo("{trade=BLUE}");
        assertThat(TagContext.current()).isEqualTo(TrafficTag.empty());
        assertThat(observed).containsExactly("begin {trade=BLUE}", "ok");
        assertThat(sluice.served().begun()).isOne();
        assertThat(sluice.served().crossed()).isZero();
    }

    @Test
    void aCallWithTheOtherColorKeepsItAndIsCountedAsCrossed() {
        TrafficTag green = new TrafficTag("", "", List.of(), ChannelColors.of(Map.of("trade", Color.GREEN)));
        Attachments.write(green, call);

        Result result = filter.invoke(provider(Hop.class, answering(new AppResponse("done"))), call);

        assertThat(result.getValue()).isEqualTo("{trade=GREEN}");
        assertThat(sluice.served().crossed()).isOne();
    }

    @Test
    @Requirement("L6")
    void aCallThatIsAnsweredLaterIsUnderWayUntilThen() {
        CompletableFuture<AppResponse> later = new CompletableFuture<>();

        filter.invoke(provider(Hop.class, invocation -> new AsyncRpcResult(later, invocation)), call);

        assertThat(TagContext.current()).isEqualTo(TrafficTag.empty());
        assertThat(sluice.served().underWay()).isOne();
        later.complete(new AppResponse("done"));
        assertThat(sluice.served().underWay()).isZero();
        assertThat(observed).containsExactly("begin {trade=BLUE}", "ok");
    }

    @Test
    void aDeclaredExceptionIsAnAnswerAndAnyOtherAFailure() {
        filter.invoke(provider(Hop.class, answering(new AppResponse(new IOException("sold out")))), call);
        filter.invoke(provider(Hop.class, answering(new AppResponse(new IllegalStateException("broken")))), call);

        assertThat(observed).containsExactly("begin {trade=BLUE}", "ok", "begin {trade=BLUE}", "failed");
    }

    @Test
    void aProviderThatThrowsHasFailedAndLeavesNoTag() {
        Invoker<?> broken = provider(Hop.class, invocation -> {
            throw new IllegalStateException("broken");
        });

        assertThatThrownBy(() -> filter.invoke(broken, call)).hasMessage("broken");

        assertThat(observed).containsExactly("begin {trade=BLUE}", "failed");
        assertThat(sluice.served().underWay()).isZero();
        assertThat(TagContext.current()).isEqualTo(TrafficTag.empty());
    }

    @Test
    void dubbosOwnServicesAreNoRequests() {
        filter.invoke(provider(MetadataService.class, answering(new AppResponse("done"))), call);

        assertThat(sluice.served().begun()).isZero();
    }

    @Test
    void withoutSluiceNothingHappens() {
        sluice.close();

        Result result = filter.invoke(provider(Hop.class, answering(new AppResponse("done"))), call);

        assertThat(result.getValue()).isEqualTo("{}");
        assertThat(observed).isEmpty();
    }

    /** Answers as given, with the colors that are current meanwhile as the value where there is no exception. */
    private static Function<Invocation, Result> answering(AppResponse answer) {
        return invocation -> {
            if (!answer.hasException()) {
                answer.setValue(TagContext.current().colors().toString());
            }
            return AsyncRpcResult.newDefaultAsyncResult(answer, invocation);
        };
    }

    private static <T> Invoker<T> provider(Class<T> type, Function<Invocation, Result> serving) {
        return new Invoker<>() {
            @Override
            public Class<T> getInterface() {
                return type;
            }

            @Override
            public Result invoke(Invocation invocation) {
                return serving.apply(invocation);
            }

            @Override
            public URL getUrl() {
                return URL.valueOf("dubbo://127.0.0.1:20880");
            }

            @Override
            public boolean isAvailable() {
                return true;
            }

            @Override
            public void destroy() {}
        };
    }
}
