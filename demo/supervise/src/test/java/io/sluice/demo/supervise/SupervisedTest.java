package io.sluice.demo.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SupervisedTest {

    @Test
    void childEndsWhenItsStandardInputCloses() throws Exception {
        var child = supervised(Forever.class.getName());
        assertThat((char) child.getInputStream().read()).isEqualTo('!');

        child.getOutputStream().close();

        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void withoutMainClassItSaysHowToUseIt() throws Exception {
        var child = supervised();

        assertThat(child.waitFor()).isEqualTo(2);
        assertThat(new String(child.getErrorStream().readAllBytes())).startsWith("usage: ");
    }

    private static Process supervised(String... args) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Supervised.class.getName());
        command.addAll(List.of(args));
        return new ProcessBuilder(command).start();
    }

    /** A program that would never end by itself; its first output says that it runs. */
    public static final class Forever {

        private Forever() {}

        public static void main(String[] args) throws InterruptedException {
            System.out.print('!');
            System.out.flush();
            Thread.currentThread().join();
        }
    }
}
