/**
 * What is Nacos like as a config centre? Asks and tells one data id of it. What a document means is no matter here, nor are
 * Nacos's instances of services.
 */
@NullMarked
package io.sluice.center.nacos;

import org.jspecify.annotations.NullMarked;
