/** How is a document kept in ZooKeeper? A node, read and watched by Curator. What the document means is not known here. */
@NullMarked
package io.sluice.center.zookeeper;

import org.jspecify.annotations.NullMarked;
