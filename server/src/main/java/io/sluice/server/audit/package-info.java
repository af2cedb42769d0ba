/**
 * Who did what to which release, when and why? The journal: written in the transaction of the change that it tells of, only ever added to, chained by hashes.
 * It decides nothing and changes nothing.
 */
@NullMarked
package io.sluice.server.audit;

import org.jspecify.annotations.NullMarked;
