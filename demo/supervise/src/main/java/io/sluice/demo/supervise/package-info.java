/**
 * Whether a demo process may go on: only while the process that started it lives.
 * It starts no process and watches none; it knows nothing of what the process does.
 */
@NullMarked
package io.sluice.demo.supervise;

import org.jspecify.annotations.NullMarked;
