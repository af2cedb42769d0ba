package io.sluice.cli.demo;

import java.io.IOException;
import java.time.Duration;

/** One line every few seconds, and one for each change: for logs, pipes and people who want no colours. */
final class LineView implements View {
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final Progress progress;
    private Duration nextAt = Duration.ZERO;
    private String shown = "";

    LineView(Progress progress) {
        this.progress = progress;
    }

    @Override
    public void show(Moment moment) throws IOException {
        String news = moment.release().phase()
                + moment.release().percent()
                + moment.release().health();
        if (news.equals(shown) && moment.sinceStart().compareTo(nextAt) < 0) {
            return;
        }
        shown = news;
        nextAt = moment.sinceStart().plus(EVERY);
        progress.tell(line(moment));
    }

    private static String line(Moment moment) {
        ReleaseState release = moment.release();
        return "%s %s%% %s   %s   %s | %s | wrong %d, lost %d"
                .formatted(
                        release.phase(),
                        release.percent(),
                        Figure.held(release),
                        Figure.verdict(release),
                        Figure.lane("stable", moment.client().stable()),
                        Figure.lane("canary", moment.client().canary()),
                        moment.client().wrong(),
                        moment.client().lost());
    }
}
