/**
 * How do I steer a release from a shell? The commands {@code sluice release ...}, over the server's API.
 * What a release may do is the server's to say; this only asks and shows the answer.
 */
@NullMarked
package io.sluice.cli.release;

import org.jspecify.annotations.NullMarked;
