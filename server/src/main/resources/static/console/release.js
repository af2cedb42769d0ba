/**
 * What a release is and where it stands, whatever its strategy.
 *
 * @typedef {{phase: string, side?: string, index?: number, isGate?: boolean}} Station a gate is none, it stands between two
 */
import {t} from './i18n.js';

const OVER = ['completed', 'aborted'];
/** The words of the API that begin an outcome in the journal, as in `paused restoring, draining blue, leaving 0%`. */
const OUTCOME = /^(?:paused )?(restoring, )?([a-z-]+)(?: (blue|green)\b)?(?: (\d+)\b)?/;

export function isOfChannel(release) {
  return isBlueGreen(release) || isRolling(release);
}

export function isBlueGreen(release) {
  return release.strategy === 'blue-green';
}

export function isRolling(release) {
  return release.strategy === 'rolling';
}

/** Whether nobody counts its requests: a rolling release that has no guard. */
export function isUncounted(release) {
  return isRolling(release) && !release.guard;
}

/** Started, and not over. */
export function isLive(release) {
  return isOfChannel(release) ? release.phase !== 'draft' && !OVER.includes(release.phase) : ['ramping', 'paused'].includes(release.phase);
}

/** Whether its guard has something to judge now. */
export function isJudged(release) {
  if (!isOfChannel(release)) {
    return isLive(release);
  }
  if (isRolling(release)) {
    const {index = 0, part} = release.batch ?? {};
    const isServed = index > 0 || ['opening', 'holding'].includes(part);
    return !isUncounted(release) && !release.restoring && release.phase === 'batch' && isServed;
  }
  const isAllBlue = release.phase === 'confirming' || (release.phase === 'draining' && release.side === 'green');
  return isBlueGreen(release) && !release.restoring && (release.phase === 'admitting' || isAllBlue);
}

/** The stages of a canary, or of the color that is let in. */
export function stagesOf(release) {
  return (isBlueGreen(release) && release.side === 'green' ? release.green : release.plan?.stages) ?? [];
}

/** What is drawn of a lane; of a channel's, canary is the color that is being released. */
export function colorOf(release, lane) {
  const isGreenLetIn = release.phase === 'admitting' && release.side === 'green';
  return (lane === 'canary') === isGreenLetIn ? 'green' : 'blue';
}

/** A lane's name where it stands alone. */
export function laneTitle(release, lane) {
  return t(isBlueGreen(release) ? `side.${colorOf(release, lane)}` : lane);
}

/** A lane's name within a sentence. */
export function laneInText(release, lane) {
  return t(isBlueGreen(release) ? `color.${colorOf(release, lane)}` : `lane.${lane}`);
}

/** The last stops: whoever sends it on from here begins green's deployment, after which nothing leads back. */
export function isBeforeNoReturn(release) {
  return isBlueGreen(release) && !release.restoring
      && (release.phase === 'confirming' || (release.phase === 'draining' && release.side === 'green'));
}

/** Where it stands, in a few words. */
export function whereWords(release) {
  if (!isOfChannel(release)) {
    return t(`phase.${release.phase}`);
  }
  return [
    release.paused ? t('phase.paused') : '',
    release.restoring && release.phase !== 'returned' ? t('phase.restoring') : '',
    stationWords({phase: release.phase, side: release.side, index: release.batch?.index}),
    release.batch ? t(`phase.${release.batch.part}`) : '',
  ].filter(it => it !== '').join(' · ');
}

function stationWords({phase, side, index}) {
  const words = index === undefined ? t(`phase.${phase}`) : t('batchNumber', {number: index + 1});
  return side ? t('phaseOfSide', {phase: words, side: t(`color.${side}`)}) : words;
}

/** @returns {Station[]} the way forward, from the draft on */
export function wayForward(release) {
  return isRolling(release) ? batches(release) : blueGreen(release);
}

function batches(release) {
  const all = Math.max(release.batches ?? 0, (release.batch?.index ?? 0) + 1);
  return [{phase: 'draft'}, ...Array.from({length: all}, (_, index) => ({phase: 'batch', index})), {phase: 'completed'}];
}

function blueGreen(release) {
  const scales = Object.keys(release.extra ?? {}).length > 0;
  const of = (side, ...phases) => phases.map(phase => ({phase, side}));
  return [
    {phase: 'draft'},
    ...(scales ? [{phase: 'scaling-up'}] : []),
    ...of('blue', 'draining', 'deploying', 'verifying', 'opening', 'admitting'),
    {phase: 'confirming'},
    ...of('green', 'draining'),
    {phase: 'no-return', isGate: true},
    ...of('green', 'deploying', ...(release.check ? ['verifying'] : []), 'opening', 'admitting'),
    ...(scales || (release.phase === 'scaling-down' && !release.restoring) ? [{phase: 'scaling-down'}] : []),
    {phase: 'completed'},
  ];
}

/**
 * The way back, of a release that is on it. What an abort need not undo is left out.
 *
 * @param {import('./api.js').JournalEntry[]} journal
 * @returns {Station[]}
 */
export function wayBackFrom(release, journal) {
  if (!isOnWayBack(release)) {
    return [];
  }
  const possible = isRolling(release)
    ? [...(release.batch ? [{phase: 'batch', index: release.batch.index}] : []), {phase: 'aborted'}]
    : [{phase: 'opening', side: 'green'}, {phase: 'returned'},
      ...['draining', 'deploying', 'opening'].map(phase => ({phase, side: 'blue'})),
      ...(Object.keys(release.extra ?? {}).length > 0 || release.phase === 'scaling-down' ? [{phase: 'scaling-down'}] : []),
      {phase: 'aborted'}];
  const here = placeOf(release, possible);
  const visited = visitedBack(journal);
  return possible.filter((station, i) => i >= here || visited.has(keyOf(station)));
}

export function isOnWayBack(release) {
  return isOfChannel(release) && (release.restoring || ['returned', 'aborted'].includes(release.phase));
}

/** Which of the stations it stands on; -1 for none. */
export function placeOf(release, stations) {
  return stations.findIndex(it => keyOf(it) === keyOf({phase: release.phase, side: release.side, index: release.batch?.index}));
}

export function keyOf({phase, side, index}) {
  return [phase, side, index === undefined ? null : index + 1].filter(it => it !== null && it !== undefined).join(' ');
}

/** Where it has been on its way forward, as its journal tells. */
export function visited(journal) {
  return stationsIn(journal, false);
}

function visitedBack(journal) {
  return stationsIn(journal, true);
}

function stationsIn(journal, isBack) {
  const found = new Set();
  for (const {outcome} of journal) {
    const match = OUTCOME.exec(outcome ?? '');
    if (match) {
      const [, restoring, phase, side, number] = match;
      const isThere = restoring !== undefined || ['returned', 'aborted'].includes(phase);
      if (isThere === isBack) {
        found.add([phase, side, phase === 'batch' ? number : null].filter(it => it).join(' '));
      }
    }
  }
  return found;
}
