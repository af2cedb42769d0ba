/**
 * How does a channel get a new version? One color after the other, with the traffic always on the side that is whole.
 * It deploys nothing and counts nothing itself: deployers, workloads and evidence are ports.
 */
@NullMarked
package io.sluice.core.channel;

import org.jspecify.annotations.NullMarked;
