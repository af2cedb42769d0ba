package io.sluice.core.release;

import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Seen;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.guard.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a guard watches: one step of a release, of whatever strategy. Evidence is kept by release and step, and judged by
 * the guard of the stage.
 *
 * @param release the release
 * @param step counts its changes of weight
 * @param services each of which must have evidence of its own, at least one
 * @param guard of the stage
 * @param watching how what is seen is to be followed
 */
public record Subject(
        String release, long step, List<String> services, StageGuard guard, StageWatch.Settings watching) {
    public Subject {
        services = List.copyOf(services);
    }

    /** The worst of all verdicts: anybody may report a breach, but health needs evidence from every service. */
    public Verdict judge(Map<String, Seen> seen) {
        List<Verdict> all = new ArrayList<>();
        for (String service : services) {
            all.add(guard.judge(service, seen.getOrDefault(service, Seen.NOTHING)));
        }
        Seen edges = seen.get(Evidence.EDGES);
        if (edges != null) {
            all.add(ofEdges(guard.judge(Evidence.EDGES, edges)));
        }
        return worst(all);
    }

    /** The worst of some verdicts, at least one, with the findings of all. */
    static Verdict worst(List<Verdict> verdicts) {
        List<Finding> findings = verdicts.stream()
                .flatMap(verdict -> verdict.findings().stream())
                .toList();
        return verdicts.stream().reduce(Verdict::worse).orElseThrow().with(findings);
    }

    /**
     * Where no edge reports, or sees too little, the services are evidence enough: only a breach counts, and a share that
     * is not the asked one, since who is on canary is decided at the edges.
     */
    private static Verdict ofEdges(Verdict verdict) {
        if (verdict.health() == Health.BREACH) {
            return verdict;
        }
        boolean mismatch =
                verdict.findings().stream().anyMatch(finding -> finding.critical() && finding.health() == Health.HOLD);
        return mismatch
                ? new Verdict(
                        Health.HOLD,
                        StageGuard.SAMPLE_RATIO_MISMATCH,
                        verdict.service(),
                        verdict.samples(),
                        verdict.failures(),
                        verdict.p99(),
                        verdict.findings())
                : verdict.asHealthy();
    }
}
