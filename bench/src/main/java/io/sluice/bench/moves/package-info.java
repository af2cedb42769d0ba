/**
 * All keys of an inventory moved under load, by routers in processes of their own, of which one is killed and one is suspended; and
 * the proof that no key ever had two writers.
 */
@NullMarked
package io.sluice.bench.moves;

import org.jspecify.annotations.NullMarked;
