package io.sluice.migration.retirement;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what a migration leaves behind: the old branch, the routing wiring, the shadow reads' settings. {@code sluice
 * migration retire} prints what carries it, and the Maven check fails the build while it is still there after the date.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.CONSTRUCTOR, ElementType.PACKAGE})
public @interface Retire {
    /** The name of the migration. */
    String migration();

    /** The last day on which a build may still contain it, like {@code 2027-03-31} (UTC). */
    String after();

    /** What it is, for the list: {@code old branch}, {@code routing}, {@code shadow reads}. */
    String part() default "old branch";
}
