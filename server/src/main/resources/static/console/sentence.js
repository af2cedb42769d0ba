/**
 * What comes next for a release, in one sentence.
 */
import {count, fractionOf, percent, rate, span} from './format.js';
import {knows, t, word} from './i18n.js';
import {isJudged, isOfChannel, laneInText, stagesOf} from './release.js';

/**
 * @param {import('./api.js').Release} release
 * @param {import('./api.js').JournalEntry[]} journal newest first
 */
export function whatNext(release, journal) {
  return isOfChannel(release) ? nextOfChannel(release, journal) : nextOfCanary(release, journal);
}

function nextOfCanary(release, journal) {
  switch (release.phase) {
    case 'draft':
      return t('next.draft');
    case 'paused':
      return t('next.paused', {why: release.why ?? '', percent: percent(release.percent)});
    case 'completed':
      return t('next.completed', {version: release.version});
    case 'aborted':
      return aborted(release, journal);
    default:
      return ramping(release);
  }
}

/** A phase and a color have a sentence; what it waits for beyond that the server says itself. */
function nextOfChannel(release, journal) {
  if (release.paused) {
    return t('next.channel.paused', {why: release.why ?? ''});
  }
  if (release.phase === 'aborted') {
    return aborted(release, journal);
  }
  if (release.phase === 'admitting' && !release.restoring) {
    return ramping(release);
  }
  if (release.batch?.part === 'holding' && isJudged(release) && release.verdict?.health === 'HOLD') {
    return holding(release, release.verdict);
  }
  const known = {version: release.version, why: release.why ?? '', service: release.services.join(', '),
    number: (release.batch?.index ?? 0) + 1, batches: release.batches ?? ''};
  const place = [release.phase, release.batch?.part ?? release.side].filter(it => it).join('.');
  const keys = [release.restoring ? `next.restoring.${place}` : '', `next.${release.strategy}.${place}`, `next.${place}`];
  return t(keys.find(knows) ?? keys[1], known);
}

function aborted(release, journal) {
  const entry = journal.find(it => it.action === 'abort');
  const why = release.why ?? entry?.why ?? '';
  return entry ? t('next.aborted', {actor: word('actor', entry.actor), why}) : t('next.aborted.unknown', {why});
}

function ramping(release) {
  const verdict = release.verdict;
  if (verdict?.health === 'HOLD') {
    return holding(release, verdict);
  }
  if (verdict?.health === 'BREACH') {
    const isClosed = isOfChannel(release) && !release.wayBack;
    return t(isClosed ? 'next.breach.closed' : stepsBack(release) ? 'next.breach.back' : 'next.breach', {reason: described(verdict)});
  }
  const left = span(Math.ceil(Math.max(0, (release.holdMillis ?? 0) - (release.heldMillis ?? 0)) / 1000) * 1000);
  const next = stagesOf(release)[(release.stage ?? 0) + 1];
  if (isOfChannel(release)) {
    const values = {side: t(`color.${release.side}`), percent: percent(next?.percent), span: left};
    return t(next ? 'next.admit' : `next.admitted.${release.side}`, values);
  }
  return next ? t('next.advance', {percent: percent(next.percent), span: left}) : t('next.complete', {span: left});
}

/** What each service must have had on this stage: as many as the guard wants, and as the stage wants. */
export function samplesNeeded(release) {
  return Math.max(release.guard.minSamples, stagesOf(release)[release.stage ?? -1]?.samples ?? 0);
}

/** The first stage has none before it that was safe. */
function stepsBack(release) {
  return release.guard.onBreach === 'step-back' && (release.stage ?? 0) > 0
      && (release.stepBacks ?? 0) < (release.guard.mostStepBacks ?? 2);
}

function holding(release, verdict) {
  const needed = samplesNeeded(release);
  const finding = cause(verdict);
  const known = {
    reason: described(verdict),
    samples: count(verdict.samples),
    minSamples: count(needed),
    service: word('reporter', verdict.service || finding?.reporter || t('everything')),
    version: release.version,
    limit: rate(fractionOf(release.guard.maxErrorRate)),
    asked: percent(release.percent),
    seen: rate(finding?.canary / (finding?.canary + finding?.stable)),
    metric: finding?.metric ?? '',
    words: finding?.reason ?? '',
    canary: laneInText(release, 'canary'),
    stable: laneInText(release, 'stable'),
  };
  const key = `next.hold.${holdKey(release, verdict, needed, finding)}`;
  return t(knows(key) ? key : 'next.hold', known);
}

/** A reason that has several causes, told apart. */
function holdKey(release, verdict, needed, finding) {
  switch (verdict.reason) {
    case 'insufficient_samples':
      return verdict.samples >= needed && release.plan?.pace === 'evidence' ? 'clearance' : verdict.reason;
    case 'sample_ratio_mismatch':
      return isConstantIdentity(finding) ? 'constant_identity' : verdict.reason;
    default:
      return verdict.reason;
  }
}

/** What holds, of the reporter that the verdict is about if it is one of its own. */
function cause(verdict) {
  const holding = (verdict.findings ?? []).filter(it => it.critical && it.health === 'HOLD');
  return holding.find(it => it.reporter === verdict.service) ?? holding[0];
}

/** So few customers that the share of each lane says nothing; the guard's own words do. */
function isConstantIdentity(finding) {
  return finding !== undefined && finding.canary + finding.stable < 10;
}

function described(verdict) {
  return verdict.service ? `${verdict.service}: ${verdict.reason}` : verdict.reason;
}
