/**
 * How the demo's programs run as processes of their own: on which ports, when each is ready, and that none is left over.
 * It knows nothing of what the programs do or of releases.
 */
@NullMarked
package io.sluice.cli.demo.process;

import org.jspecify.annotations.NullMarked;
