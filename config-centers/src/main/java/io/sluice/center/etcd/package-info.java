/** How is a document kept in etcd? A key, read and watched by jetcd. What the document means is not known here. */
@NullMarked
package io.sluice.center.etcd;

import org.jspecify.annotations.NullMarked;
