/** How is a document kept in a file? One that somebody mounts or puts there, or that the server writes to a shared disk. */
@NullMarked
package io.sluice.center.file;

import org.jspecify.annotations.NullMarked;
