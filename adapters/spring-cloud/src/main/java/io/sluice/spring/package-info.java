/**
 * Which settings does an application run with, and where does it get its rules?
 * The doors themselves are in the packages below; no rule is judged here or there.
 */
@NullMarked
package io.sluice.spring;

import org.jspecify.annotations.NullMarked;
