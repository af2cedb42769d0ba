package io.sluice.spring.client;

import static org.assertj.core.api.Assertions.assertThat;

import feign.RequestInterceptor;
import feign.RequestTemplate;
import feign.Target;
import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.ColorsCodec;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.SluiceSettings;
import io.sluice.spring.TestChannels;
import io.sluice.spring.TestRules;
import io.sluice.spring.TestSettings;
import io.sluice.testing.Requirement;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

class TaggedClientsTest {
    private static final TrafficTag TAG = new TrafficTag(
            "用户 7", "app", List.of(new Assignment("release-1", "v2"), new Assignment("release-2", "v7")));
    private static final String VALUE =
            "uid=%E7%94%A8%E6%88%B7%207;channel=app;version=v2,v7;release=release-1,release-2";

    private final List<HttpHeaders> sent = new ArrayList<>();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RestClientAutoConfiguration.class,
                    RestTemplateAutoConfiguration.class,
                    SluiceClientAutoConfiguration.class))
            .withBean("ownTemplate", RestTemplate.class, RestTemplate::new)
            .withBean("ownBuilder", RestClient.Builder.class, RestClient::builder);

    @ParameterizedTest
    @EnumSource
    @Requirement({"E3", "L6"})
    @SuppressWarnings("try")
    void theCurrentTagReplacesWhateverTheRequestWore(Client client) {
        application.run(context -> {
            try (Scope scope = TagContext.with(TAG)) {
                client.send(context, this::connect);
            }

            assertThat(sent).singleElement().satisfies(headers -> {
                assertThat(headers.getOrEmpty(TagCodec.HEADER)).containsExactly(VALUE);
                assertThat(headers.getOrEmpty("X-Other")).containsExactly("1");
            });
        });
    }

    @ParameterizedTest
    @EnumSource
    void outsideEveryScopeOnlyOurHeaderGoes(Client client) {
        application.run(context -> {
            client.send(context, this::connect);

            assertThat(sent).singleElement().satisfies(headers -> {
                assertThat(headers.containsHeader(TagCodec.HEADER)).isFalse();
                assertThat(headers.getOrEmpty("X-Other")).containsExactly("1");
            });
        });
    }

    @Test
    @Requirement("T4")
    @SuppressWarnings("try")
    void noTagLeavesOurOwnHosts() {
        application.run(context -> {
            RestTemplate template = context.getBean("ownTemplate", RestTemplate.class);
            template.setRequestFactory(this::connect);
            try (Scope scope = TagContext.with(TAG)) {
                template.getForObject("https://api.pay.example/charge", Void.class);
                template.getForObject("http://order/", Void.class);
            }

            assertThat(sent)
                    .extracting(headers -> headers.getOrEmpty(TagCodec.HEADER))
                    .containsExactly(List.of(), List.of(VALUE));
        });
    }

    @Test
    @Requirement("T4")
    @SuppressWarnings("try")
    void noTagLeavesOurOwnHostsByFeignEither() {
        application.run(context -> {
            RequestTemplate request = new RequestTemplate();
            request.feignTarget(new Target.HardCodedTarget<>(Runnable.class, "https://api.pay.example"));
            try (Scope scope = TagContext.with(TAG)) {
                context.getBean(RequestInterceptor.class).apply(request);
            }

            assertThat(request.headers()).doesNotContainKey(TagCodec.HEADER);
        });
    }

    @Test
    void aClientThatIsMadeByBootAndABeanIsTaggedOnce() {
        ClientHttpRequestInterceptor other = (request, body, execution) -> execution.execute(request, body);
        application
                .withBean(
                        "bootsTemplate",
                        RestTemplate.class,
                        () -> new RestTemplateBuilder(
                                        template -> new TagInterceptor(outgoing()).addTo(template.getInterceptors()))
                                .additionalInterceptors(other)
                                .build())
                .run(context -> {
                    List<ClientHttpRequestInterceptor> interceptors =
                            context.getBean("bootsTemplate", RestTemplate.class).getInterceptors();

                    assertThat(interceptors).hasSize(2).last().isSameAs(other);
                    assertThat(interceptors).first().isInstanceOf(TagInterceptor.class);
                });
    }

    @ParameterizedTest
    @EnumSource
    @Requirement({"E7", "L17"})
    @SuppressWarnings("try")
    void theColorsGoInAHeaderAndFirstInTheBaggage(Client client) {
        inRelease().run(context -> {
            try (Scope scope = TagContext.with(TestChannels.tag("7", Color.GREEN))) {
                client.send(context, this::connect);
            }

            assertThat(sent).singleElement().satisfies(headers -> {
                assertThat(headers.getOrEmpty(TagCodec.HEADER)).containsExactly("uid=7;version=stable");
                assertThat(headers.getOrEmpty(TagCodec.COLORS_HEADER)).containsExactly("trade%3Dgreen");
                assertThat(headers.getOrEmpty(ColorsCodec.BAGGAGE))
                        .containsExactly("x-deploy-channel-type=trade%3Dgreen,other=1");
            });
        });
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("E7")
    void whatBeginsHereHasTheColorOfThisInstance(Client client) {
        inRelease().run(context -> {
            client.send(context, this::connect);

            assertThat(sent).singleElement().satisfies(headers -> {
                assertThat(headers.containsHeader(TagCodec.HEADER)).isFalse();
                assertThat(headers.getOrEmpty(TagCodec.COLORS_HEADER)).containsExactly("trade%3Dblue");
            });
        });
    }

    @Test
    @Requirement({"E7", "T4"})
    @SuppressWarnings("try")
    void noColorLeavesOurOwnHosts() {
        inRelease().run(context -> {
            RestTemplate template = context.getBean("ownTemplate", RestTemplate.class);
            template.setRequestFactory(this::connect);
            HttpHeaders worn = new HttpHeaders();
            worn.add(ColorsCodec.BAGGAGE, "x-deploy-channel-type=trade%3Dblue");
            try (Scope scope = TagContext.with(TestChannels.tag("7", Color.GREEN))) {
                template.exchange("https://api.pay.example/charge", HttpMethod.GET, new HttpEntity<>(worn), Void.class);
            }

            assertThat(sent).singleElement().satisfies(headers -> {
                assertThat(headers.containsHeader(TagCodec.COLORS_HEADER)).isFalse();
                assertThat(headers.containsHeader(ColorsCodec.BAGGAGE)).isFalse();
            });
        });
    }

    /** A blue instance of order, while trade is in release and all that enters is green. */
    private ApplicationContextRunner inRelease() {
        return application
                .withBean(RuleSource.class, () -> TestRules.holding(TestChannels.trade(1, 0)))
                .withBean(SluiceSettings.class, () -> TestSettings.of("order", "stable", Color.BLUE));
    }

    private static Outgoing outgoing() {
        DefaultListableBeanFactory nothing = new DefaultListableBeanFactory();
        return new Outgoing(nothing.getBeanProvider(SluiceSettings.class), nothing.getBeanProvider(RuleSource.class));
    }

    private MockClientHttpRequest connect(URI uri, HttpMethod method) {
        MockClientHttpRequest request = new MockClientHttpRequest(method, uri);
        request.setResponse(new MockClientHttpResponse(new byte[0], HttpStatus.OK));
        sent.add(request.getHeaders());
        return request;
    }

    /** The ways to come by a client; each sends a request that wears two tags already. */
    enum Client {
        TEMPLATE_OF_OUR_OWN {
            @Override
            void send(ApplicationContext context, ClientHttpRequestFactory network) {
                sendBy(context.getBean("ownTemplate", RestTemplate.class), network);
            }
        },
        TEMPLATE_BY_BOOT {
            @Override
            void send(ApplicationContext context, ClientHttpRequestFactory network) {
                sendBy(context.getBean(RestTemplateBuilder.class).build(), network);
            }
        },
        REST_CLIENT_OF_OUR_OWN {
            @Override
            void send(ApplicationContext context, ClientHttpRequestFactory network) {
                sendBy(context.getBean("ownBuilder", RestClient.Builder.class), network);
            }
        },
        REST_CLIENT_BY_BOOT {
            @Override
            void send(ApplicationContext context, ClientHttpRequestFactory network) {
                RestClient.Builder builder = RestClient.builder();
                context.getBean(RestClientCustomizer.class).customize(builder);
                sendBy(builder, network);
            }
        },
        FEIGN {
            @Override
            void send(ApplicationContext context, ClientHttpRequestFactory network) throws Exception {
                RequestTemplate template = new RequestTemplate()
                        .header("x-gray-tag", "version=stable", "uid=old")
                        .header(TagCodec.COLORS_HEADER, "trade%3Dred")
                        .header(ColorsCodec.BAGGAGE, "other=1,x-deploy-channel-type=trade%3Dblue")
                        .header("X-Other", "1");
                context.getBean(RequestInterceptor.class).apply(template);
                HttpHeaders headers = network.createRequest(URI.create("http://order/"), HttpMethod.GET)
                        .getHeaders();
                for (var header : template.resolve(Map.of()).headers().entrySet()) {
                    Collection<String> values = header.getValue();
                    headers.addAll(header.getKey(), List.copyOf(values));
                }
            }
        };

        abstract void send(ApplicationContext context, ClientHttpRequestFactory network) throws Exception;

        private static void sendBy(RestTemplate template, ClientHttpRequestFactory network) {
            template.setRequestFactory(network);
            template.exchange("http://order/", HttpMethod.GET, new HttpEntity<>(worn()), Void.class);
        }

        private static void sendBy(RestClient.Builder builder, ClientHttpRequestFactory network) {
            builder.requestFactory(network)
                    .build()
                    .get()
                    .uri("http://order/")
                    .headers(headers -> headers.putAll(worn()))
                    .retrieve()
                    .toBodilessEntity();
        }

        private static HttpHeaders worn() {
            HttpHeaders headers = new HttpHeaders();
            headers.addAll("x-gray-tag", List.of("version=stable", "uid=old"));
            headers.add(TagCodec.COLORS_HEADER, "trade%3Dred");
            headers.add(ColorsCodec.BAGGAGE, "other=1,x-deploy-channel-type=trade%3Dblue");
            headers.add("X-Other", "1");
            return headers;
        }
    }
}
