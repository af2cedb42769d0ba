/**
 * What comes next for a release, in one sentence.
 */
import {percent, span} from './format.js';
import {knows, t, word} from './i18n.js';

/**
 * @param {import('./api.js').Release} release
 * @param {import('./api.js').JournalEntry[]} journal newest first
 */
export function whatNext(release, journal) {
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
    return t('next.breach', {reason: described(verdict)});
  }
  const left = span(Math.ceil(Math.max(0, (release.holdMillis ?? 0) - (release.heldMillis ?? 0)) / 1000) * 1000);
  const next = release.plan.stages[(release.stage ?? 0) + 1];
  return next ? t('next.advance', {percent: percent(next.percent), span: left}) : t('next.complete', {span: left});
}

function holding(release, verdict) {
  const key = `next.hold.${verdict.reason}`;
  return t(knows(key) ? key : 'next.hold', {
    reason: described(verdict),
    samples: verdict.samples,
    minSamples: release.guard.minSamples,
    service: verdict.service || t('everything'),
    version: release.version,
  });
}

function described(verdict) {
  return verdict.service ? `${verdict.service}: ${verdict.reason}` : verdict.reason;
}
