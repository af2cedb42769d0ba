package io.sluice.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that use programs of the operating system. Where one is missing they are skipped, and the reason tells how to
 * install it; with {@code SLUICE_REQUIRE_ALL_TESTS=true} in the environment they fail instead.
 *
 * <pre>{@code
 * @NeedsProgram(value = "/usr/bin/chromium", install = "apt-get install chromium")
 * class ConsoleBrowserTest {
 * }</pre>
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeededPrograms.class)
public @interface NeedsProgram {
    /** Where the programs are, each an absolute path. */
    String[] value();

    /** The command that installs them. */
    String install();
}
