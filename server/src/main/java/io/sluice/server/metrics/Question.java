package io.sluice.server.metrics;

import io.sluice.core.guard.Finding;
import java.time.Duration;
import java.util.List;

/** What is asked for a metric of a step, and what an answer means. Used by one thread at a time. */
interface Question {
    /** In the source's language. @param elapsed since the step was first asked about */
    String text(Duration elapsed);

    /**
     * Judges an answer.
     *
     * @param elapsed since the step was first asked about
     * @throws SourceException when it is none that the metric could be judged by
     */
    Finding judge(List<Sample> answer, Duration elapsed) throws SourceException;

    /** What was not answered, with the limit that it would have been held against. */
    Finding unanswered(String why);
}
