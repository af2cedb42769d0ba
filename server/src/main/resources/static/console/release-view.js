/**
 * The head of a release: what it is, where it stands and what comes next.
 */
import {attribute, foreign, h, icon, rebuilder, text} from './dom.js';
import {count, percent, rate, span} from './format.js';
import {t} from './i18n.js';
import {isBlueGreen, isOfChannel, isOnWayBack, stagesOf, whereWords} from './release.js';
import {whatNext} from './sentence.js';
import {missed, missedNotes} from './sides-view.js';
import {StationsView} from './stations-view.js';

const PHASES = ['draft', 'ramping', 'paused', 'completed', 'aborted'];

/** Where a release stands as words with their colour and their drawing. */
export function phaseBadge(release, properties = {}) {
  const look = lookOf(release);
  return h('span', {class: `phase ${look}`, 'data-phase': release.phase, ...properties},
      icon(look), h('span', {text: whereWords(release)}));
}

/** The phases of a channel look like those of a canary that they come closest to. */
function lookOf(release) {
  if (!isOfChannel(release) || PHASES.includes(release.phase)) {
    return PHASES.includes(release.phase) ? release.phase : 'draft';
  }
  return release.paused ? 'paused' : isOnWayBack(release) ? 'restoring' : 'ramping';
}

export class ReleaseView {
  #id = h('h1', {'data-testid': 'release-id'});
  #facts = h('p', {class: 'facts'});
  #phase = h('div', {class: 'phase-place'});
  #next = h('p', {class: 'next', 'data-testid': 'next'});
  #after = h('p', {class: 'muted after'});
  #missed = h('div', {class: 'notes'});
  #stage = h('p', {class: 'stage-now', 'data-testid': 'stage'});
  #track = h('ol', {class: 'track', 'data-testid': 'track'});
  #split = new SplitBar();
  #stations = new StationsView();
  #progress;
  #showFacts = rebuilder(this.#facts);
  #showMissed = rebuilder(this.#missed);
  #showPhase = rebuilder(this.#phase);
  #showTrack = rebuilder(this.#track);

  /** @param {HTMLElement} commands */
  constructor(commands) {
    this.#progress = h('div', {class: 'progress'}, this.#stage, this.#track, this.#split.element);
    this.element = h('section', {class: 'card release'},
        h('div', {class: 'release-head'}, h('div', {class: 'release-name'}, this.#id, this.#facts), this.#phase),
        this.#next, this.#after, this.#missed, commands, this.#stations.element, this.#progress);
  }

  /** @param {{release: import('./api.js').Release, journal: object[], lanes: object|null}} state */
  render({release, journal, lanes, report}, language) {
    text(this.#id, release.id);
    this.#showFacts([release.strategy, release.channel, release.version, release.services, release.step, release.stepBacks, release.guard,
      release.deployer, language], () => facts(release));
    this.#showPhase([release.phase, whereWords(release), language], () => [phaseBadge(release, {'data-testid': 'phase'})]);
    text(this.#next, whatNext(release, journal));
    attribute(this.#next, 'class', `next ${release.phase}`);
    const isOfOne = isOfChannel(release);
    const abortedAfter = isOfOne ? `next.${release.strategy}.aborted.after` : 'next.aborted.after';
    const after = release.retired ? t('retired') : release.phase === 'aborted' ? t(abortedAfter) : '';
    text(this.#after, after);
    attribute(this.#after, 'hidden', after === '');
    // A channel's release names them below both of its sides.
    this.#showMissed([isOfOne ? {} : missed(release), language], () => (isOfOne ? [] : missedNotes(release)));
    attribute(this.#stations.element, 'hidden', !isOfOne);
    attribute(this.#split.element, 'hidden', isOfOne);
    attribute(this.#progress, 'hidden', isOfOne && !isBlueGreenStage(release));
    if (isOfOne) {
      this.#stations.render(release, journal, language);
    } else {
      this.#split.render(release, lanes);
    }
    this.#renderStage(release, journal, report, language);
  }

  #renderStage(release, journal, report, language) {
    const stages = stagesOf(release);
    const isAborted = release.phase === 'aborted';
    const current = isAborted ? abortedStage(release, journal) : currentStage(release);
    const share = percent(release.percent);
    const key = current < 0 ? 'stageNone' : isAborted ? 'stageEnded' : current < stages.length ? 'stageNow' : 'stageDone';
    text(this.#stage, t(isBlueGreenStage(release) ? 'stageOfSide' : key,
        {stage: current + 1, stages: stages.length, percent: share, side: t(`color.${release.side}`)}));
    attribute(this.#stage, 'data-percent', release.percent);
    attribute(this.#track, 'aria-label', t('stages'));
    attribute(this.#track, 'data-phase', release.paused ? 'paused' : release.phase);
    // Both colors may have had stages of the same share, and the report tells of both.
    const seen = stages.map(stage => (release.side === 'green' ? null : achieved(report, stage)));
    this.#showTrack([stages, current, release.phase, seen, language],
        () => stages.map((stage, i) => node(stage, stateOf(i, current, isAborted), seen[i])));
    this.#renderHold(release, current);
  }

  /** Moves every second, so it changes what the track was built with. */
  #renderHold(release, current) {
    const item = this.#track.children[current];
    const bar = item?.querySelector('.hold-bar');
    if (!bar) {
      return;
    }
    const held = release.heldMillis ?? 0;
    const hold = release.holdMillis ?? 0;
    const part = hold > 0 ? Math.min(1, held / hold) : 1;
    bar.querySelector('.hold-fill').style.setProperty('inline-size', `${(part * 100).toFixed(1)}%`);
    attribute(bar, 'aria-label', t('hold'));
    attribute(bar, 'aria-valuenow', Math.round(part * 100));
    attribute(bar, 'aria-valuetext', t('held', {held: span(held), hold: span(hold)}));
    text(item.querySelector('.hold-words'), `${span(Math.min(held, hold))} / ${span(hold)}`);
  }
}

/** Where the track stands; past its end when completed, before it when not on a stage. */
function currentStage(release) {
  if (release.phase === 'completed') {
    return stagesOf(release).length;
  }
  return release.phase === 'ramping' || release.phase === 'paused' ? release.stage ?? 0 : release.stage ?? -1;
}

/** Only where a color is let in the page shows its stages; the stations tell of the rest. */
function isBlueGreenStage(release) {
  return isBlueGreen(release) && release.phase === 'admitting';
}

/** Where an aborted release stood: the journal's last weight before the abort. -1 when it never had one. */
function abortedStage(release, journal) {
  const before = journal.slice(journal.findIndex(it => it.action === 'abort') + 1);
  for (const {outcome} of before) {
    const match = /^(ramping|paused|completed) ([0-9.]+)\s*%$/.exec(outcome ?? '');
    if (match) {
      return stagesOf(release).findIndex(stage => Number(stage.percent) === Number(match[2]));
    }
  }
  return -1;
}

function stateOf(index, current, isAborted) {
  if (index < current) {
    return 'passed';
  }
  if (index > current) {
    return isAborted ? 'unreached' : 'ahead';
  }
  return isAborted ? 'ended' : 'current';
}

/** The share that canary had when the release was last on that stage; null when it was not. */
function achieved(report, stage) {
  const times = (report?.stages ?? []).filter(it => Number(it.percent) === Number(stage.percent));
  return times.at(-1)?.achievedPercent ?? null;
}

function facts(release) {
  const most = release.guard?.onBreach === 'step-back' ? release.guard.mostStepBacks : null;
  const back = release.stepBacks ?? 0;
  return [
    h('span', {class: 'fact', 'data-testid': 'strategy', text: t(`strategy.${release.strategy}`)}),
    release.channel ? h('span', {class: 'fact'}, `${t('channel')} `, foreign(release.channel, {class: 'mono'})) : null,
    h('span', {class: 'fact'}, `${t('version')} `, foreign(release.version, {class: 'mono'})),
    h('span', {class: 'fact'}, `${t('services')} `, ...release.services.map(it => foreign(it, {class: 'chip'}))),
    h('span', {class: 'fact'}, `${t('step')} `, h('span', {'data-testid': 'step', text: release.step})),
    release.deployer ? h('span', {class: 'fact'}, `${t('deployer')} `, foreign(release.deployer, {class: 'mono'})) : null,
    most || back > 0
      ? h('span', {class: 'fact'}, `${t('stepBacks')} `,
          h('span', {'data-testid': 'step-backs', text: most ? t('ofMost', {count: back, most}) : back}))
      : null,
  ].filter(it => it !== null);
}

const SPOKEN = {passed: 'stagePassed', current: 'stageCurrent', ahead: 'stageAhead', ended: 'stageAborted', unreached: 'stageUnreached'};
const KNOBS = {passed: 'healthy', ended: 'failed'};

function node(stage, state, seen) {
  return h('li', {class: state, 'data-state': state, 'aria-current': state === 'current' ? 'step' : null},
      h('span', {class: 'knob'}, state in KNOBS ? icon(KNOBS[state]) : null),
      h('span', {class: 'stage-percent', text: percent(stage.percent)}),
      h('span', {class: 'unseen', text: t(SPOKEN[state])}),
      seen === null || state === 'current' ? null : h('span', {class: 'stage-seen', text: t('stageSeen', {percent: percent(seen)})}),
      state === 'current' ? holdBar() : h('span', {class: 'stage-hold', text: stage.hold}));
}

function holdBar() {
  return h('span', {class: 'holding'},
      h('span', {class: 'hold-bar', role: 'progressbar', 'aria-valuemin': '0', 'aria-valuemax': '100', 'data-testid': 'hold'},
          h('span', {class: 'hold-fill'})),
      h('span', {class: 'hold-words'}));
}

/** How requests part between the lanes: as asked, and as seen at the edge. */
class SplitBar {
  #stable = h('span', {class: 'part stable'});
  #canary = h('span', {class: 'part canary'});
  #words = h('p', {class: 'split-words', 'data-testid': 'split'});
  #stableWords = h('span', {class: 'end stable'});
  #canaryWords = h('span', {class: 'end canary'});

  constructor() {
    this.element = h('div', {class: 'split'},
        h('div', {class: 'split-ends'}, this.#stableWords, this.#words, this.#canaryWords),
        h('div', {class: 'split-bar', 'aria-hidden': 'true'}, this.#stable, this.#canary));
  }

  render(release, lanes) {
    const canary = Number(release.percent);
    attribute(this.#canary, 'hidden', canary === 0);
    attribute(this.#stable, 'hidden', canary === 100);
    this.#canary.style.setProperty('inline-size', `${canary}%`);
    text(this.#stableWords, `${t('stable')} ${percent(100 - canary)}`);
    text(this.#canaryWords, `${t('canary')} ${percent(canary)}`);
    const seen = seenShare(release, lanes);
    text(this.#words, seen ? t('splitSeen', {percent: rate(seen.share), service: seen.service}) : '');
  }
}

function seenShare(release, lanes) {
  const service = edgeOf(release, (lanes?.totals ?? []).map(it => it.service));
  const totals = (lanes?.totals ?? []).filter(it => it.service === service);
  const all = totals.reduce((sum, it) => sum + it.count, 0);
  const canary = totals.filter(it => it.lane === 'canary').reduce((sum, it) => sum + it.count, 0);
  return all > 0 && release.phase !== 'draft' ? {service, share: canary / all} : null;
}

/** The reporter at the edge: the one that is none of the release's own services; else the first. */
export function edgeOf(release, names) {
  return names.find(name => !release.services.includes(name)) ?? names[0];
}

/** What a release was set up with, for those who ask. */
export class DetailsView {
  #body = h('dl', {class: 'details'});
  #summary = h('summary');
  #show = rebuilder(this.#body);

  constructor() {
    this.element = h('details', {class: 'card details-card'}, this.#summary, this.#body);
  }

  render({release}, language) {
    text(this.#summary, t('details'));
    if (isOfChannel(release)) {
      this.#show([release.waits, release.check, release.between, release.extra, language], () => ofChannel(release));
      return;
    }
    const rules = release.rules ?? [];
    this.#show([release.hash, release.salt, release.allow, rules, release.guard, language], () => [
      ...pair(t('bucketing'), `${release.hash}, ${release.salt}`),
      ...pair(t('allowlist'), t('customers', {count: count(release.allow)})),
      ...pair(t('rulesCount'), rules.length === 0 ? '–' : rules.map(it => it.name).join(', ')),
    ]);
  }
}

function ofChannel(release) {
  const waits = release.waits ?? {};
  const extra = Object.entries(release.extra ?? {}).map(([service, more]) => `${service} +${more}`);
  return [
    ...Object.entries(waits).flatMap(([name, length]) => pair(t(`waits.${name}`), length)),
    ...pair(t('check'), release.check ?? t('checkManual')),
    ...(release.between ? pair(t('between'), release.between) : []),
    ...(extra.length > 0 ? pair(t('extra'), extra.join(', ')) : []),
  ];
}

function pair(name, value) {
  return [h('dt', {text: name}), h('dd', {}, foreign(value))];
}
