/**
 * Do processes that follow a config centre find the newest rules there? Keeps the document in every centre that the flags
 * name at what is published. It decides nothing about rules, and no process that follows the server waits for it.
 */
@NullMarked
package io.sluice.server.publishing;

import org.jspecify.annotations.NullMarked;
