/**
 * What happened in a release, for people who were not there? Renders the server's report as Markdown and as HTML. Judges
 * nothing: numbers and verdicts are the server's, and what the server left out stays empty.
 */
@NullMarked
package io.sluice.cli.report;

import org.jspecify.annotations.NullMarked;
