/**
 * What do releases of all strategies have in common? Ids that are used once, claims on services, room in the rule set, its
 * revision, and the record of their weights; each written in the transaction of whoever saves a release. How a release
 * goes is not known here.
 */
@NullMarked
package io.sluice.server.ledger;

import org.jspecify.annotations.NullMarked;
