package io.sluice.center;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("D4")
class CenterNameTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            etcd=http://127.0.0.1:1,[::1]:1/sluice/rules   | etcd key /sluice/rules
            zookeeper=127.0.0.1:1/sluice/rules             | ZooKeeper node /sluice/rules
            nacos=127.0.0.1:1/shop/sluice/rules            | Nacos data id sluice/rules
            file=/no/such=file                             | file /no/such=file
            """)
    void oneTextNamesACentreOfAnyKind(String text, String what) {
        CenterName name = CenterName.parse(text);

        assertThat(name).hasToString(text);
        try (ConfigCenter center = name.open()) {
            assertThat(center).hasToString(what);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                    | empty, but must be KIND=ADDRESS, with a kind of etcd, file, nacos, zookeeper
            etcd                                  | etcd, but must be KIND=ADDRESS, with a kind of etcd, file, nacos, zookeeper
            consul=http://me:secret@127.0.0.1/x   | consul=http://...@127.0.0.1/x, but must be KIND=ADDRESS, with a kind of etcd, file, nacos, zookeeper
            etcd=127.0.0.1:2379/sluice/rules      | 127.0.0.1:2379/sluice/rules, but must be like http://host:2379/path or https://host:2379/path
            etcd=http://127.0.0.1/sluice/rules    | 127.0.0.1/sluice/rules, but must be like host:port/path or host:port,host:port/path, without a user
            zookeeper=127.0.0.1:2181              | 127.0.0.1:2181, but must be like host:port/path or host:port,host:port/path, without a user
            nacos=127.0.0.1:8848/rules            | 127.0.0.1:8848/rules, but must be like host:port/group/dataId or host:port/namespace/group/dataId
            file=rules.json                       | rules.json, but must be the absolute path of a file, like /etc/sluice/rules.json
            """)
    void whatIsNoneIsRefused(String text, String problem) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> CenterName.parse(text))
                .withMessageContaining(problem);
    }

    @Test
    void onlyWhereThereAreUsersIsThereALogin() {
        CenterLogin login = new CenterLogin("me", "secret");

        assertThat(CenterName.parse("zookeeper=127.0.0.1:1/a").knowsUsers()).isTrue();
        CenterName.parse("zookeeper=127.0.0.1:1/a").open(login).close();
        assertThat(login).hasToString("me");
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> CenterName.parse("file=/rules").open(login))
                .withMessage("user was me, but must not be given: a file knows no users");
    }

    /** An application with this module and no client at all. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            etcd      | http://127.0.0.1:1/a   | http://127.0.0.1 | io.etcd:jetcd-core
            zookeeper | 127.0.0.1:1/a          | 127.0.0.1        | org.apache.curator:curator-recipes
            nacos     | 127.0.0.1:1/a/b        | 127.0.0.1:1/a    | com.alibaba.nacos:nacos-client
            """)
    void aMissingClientIsNamedBesideWhatElseIsWrong(String kind, String good, String bad, String artifact)
            throws Exception {
        try (URLClassLoader without = withoutClients()) {
            assertThat(refusal(without, kind + "=" + good))
                    .containsExactly(
                            " was " + kind + " without its client, but must have " + artifact + " on the class path");
            assertThat(refusal(without, kind + "=" + bad))
                    .hasSize(2)
                    .element(1)
                    .asString()
                    .contains(artifact);
        }
    }

    @Test
    void aFileNeedsNoClient() throws Exception {
        try (URLClassLoader without = withoutClients()) {
            assertThat(parse(without).invoke(null, "file=/no/such/file")).hasToString("file=/no/such/file");
        }
    }

    private static URLClassLoader withoutClients() throws IOException {
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.matches(".*(jetcd|grpc|curator|zookeeper|nacos).*\\.jar")) {
                path.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static Method parse(ClassLoader loader) throws ReflectiveOperationException {
        return loader.loadClass(CenterName.class.getName()).getMethod("parse", String.class);
    }

    private static List<String> refusal(ClassLoader loader, String text) throws Exception {
        try {
            throw new AssertionError(parse(loader).invoke(null, text));
        } catch (InvocationTargetException refused) {
            Object problems =
                    refused.getCause().getClass().getMethod("problems").invoke(refused.getCause());
            return ((List<?>) problems).stream().map(Object::toString).toList();
        }
    }
}
