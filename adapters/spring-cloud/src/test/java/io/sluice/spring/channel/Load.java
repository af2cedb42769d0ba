package io.sluice.spring.channel;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Customers who order without a pause, each after the other's answer, until closed. */
final class Load implements AutoCloseable {
    private static final List<String> CLIENTS = List.of("feign", "template", "client");

    private final HttpClient browser =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String gateway;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final List<AtomicInteger> answered = new ArrayList<>();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    Load(String gateway, int customers) {
        this.gateway = gateway;
        for (int i = 0; i < customers; i++) {
            AtomicInteger counter = new AtomicInteger();
            answered.add(counter);
            threads.add(new Thread(() -> order(counter), "customer-" + i));
        }
        threads.forEach(Thread::start);
    }

    /** What was not served, or by both colors. */
    List<String> wrong() {
        return wrong;
    }

    int answered() {
        return answered.stream().mapToInt(AtomicInteger::get).sum();
    }

    /** Whether everything is answered that was asked when these numbers were taken. */
    boolean hasPassed(List<Integer> before) {
        for (int i = 0; i < answered.size(); i++) {
            // The one that was under way then, and one that was asked since.
            if (answered.get(i).get() < before.get(i) + 2) {
                return false;
            }
        }
        return true;
    }

    List<Integer> now() {
        return answered.stream().map(AtomicInteger::get).toList();
    }

    @Override
    public void close() {
        isOver.set(true);
        for (Thread thread : threads) {
            try {
                thread.join(60_000);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void order(AtomicInteger counter) {
        for (int i = 0; !isOver.get(); i++) {
            String answer;
            try {
                answer = get("/orders?by=" + CLIENTS.get(i % CLIENTS.size()) + (i % 2 == 0 ? "&uid=c" + i : ""));
            } catch (IOException | InterruptedException failed) {
                answer = String.valueOf(failed);
            }
            if (!answer.startsWith("200 order/blue inventory/blue coupon/")
                    && !answer.startsWith("200 order/green inventory/green coupon/")) {
                wrong.add(answer);
            }
            counter.incrementAndGet();
        }
    }

    private String get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway + path)).build();
        HttpResponse<String> response = browser.send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }
}
