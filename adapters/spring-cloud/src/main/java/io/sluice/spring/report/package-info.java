/**
 * What does a process tell about its requests? Tallies to the server, meters and health to whoever looks.
 * Nothing here changes how a request goes, and the server being away makes no application unhealthy.
 */
@NullMarked
package io.sluice.spring.report;

import org.jspecify.annotations.NullMarked;
