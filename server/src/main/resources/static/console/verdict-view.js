/**
 * The current verdict, its numbers beside the limits they are held against.
 */
import {attribute, foreign, h, icon, rebuilder, text} from './dom.js';
import {count, fractionOf, millis, millisOf, rate} from './format.js';
import {t} from './i18n.js';
import {isJudged, isOfChannel, isUncounted} from './release.js';
import {samplesNeeded} from './sentence.js';

const TAKEN_BACK = ['aborted', 'returned'];

/** A health as a word with its colour and its drawing. */
export function healthBadge(health, properties = {}) {
  const known = ['HEALTHY', 'HOLD', 'BREACH'].includes(health) ? health.toLowerCase() : 'hold';
  return h('span', {class: `health ${known}`, 'data-health': health, ...properties},
      icon(known), h('span', {text: t(`health.${health}`)}));
}

export class VerdictView {
  #title = h('h2');
  #body = h('div', {class: 'verdict-body'});
  #show = rebuilder(this.#body);

  constructor() {
    this.element = h('section', {class: 'card verdict', 'data-testid': 'verdict'}, this.#title, this.#body);
  }

  /** After an abort: the verdict that led to it, from the journal. */
  render({release, journal}, language) {
    attribute(this.element, 'hidden', isUncounted(release));
    if (isUncounted(release)) {
      return;
    }
    text(this.#title, t('verdict'));
    const isTakenBack = TAKEN_BACK.includes(release.phase) || release.restoring;
    const last = isTakenBack ? journal.find(it => it.action === 'abort')?.verdict : null;
    // The last verdict on blue says nothing of a green that is being deployed, nor that on a batch of the next one.
    const verdict = isOfChannel(release) && !isJudged(release) ? last : release.verdict ?? last;
    this.#show([verdict, release.phase, release.side, release.stage, release.guard, language], () => verdict
      ? numbers(verdict, release.guard, samplesNeeded(release))
      : [h('p', {class: 'muted', text: t(isJudged(release) ? 'verdictAwaited' : 'verdictNone')})]);
  }
}

/** The limits are judged from the guard's own minimum on, also where the stage wants more samples. */
function numbers(verdict, guard, needed) {
  const maxRate = fractionOf(guard.maxErrorRate);
  const maxP99 = millisOf(guard.maxP99);
  const enough = verdict.samples >= guard.minSamples;
  const judged = limit => (!enough ? 'unmet' : verdict.reason.startsWith(limit) ? 'broken' : 'met');
  const seen = words => (verdict.samples === 0 ? '–' : words);
  return [
    h('p', {class: 'verdict-word'},
        healthBadge(verdict.health, {'data-testid': 'health'}),
        h('span', {class: 'muted'}, verdict.service ? foreign(t('verdictAbout', {service: verdict.service})) : '')),
    verdict.health === 'HEALTHY' ? null : foreign(verdict.reason, {class: 'reason mono', 'data-testid': 'reason'}),
    h('ul', {class: 'gauges'},
        gauge('samples', count(verdict.samples), t('atLeast', {limit: count(needed)}),
            verdict.samples / needed, verdict.samples >= needed ? 'met' : 'unmet', 'tooFew'),
        gauge('errorRate', seen(rate(verdict.errorRate)), t('atMost', {limit: rate(maxRate)}),
            verdict.errorRate / maxRate, judged('error_rate'), 'unjudged'),
        gauge('p99', seen(millis(verdict.p99Millis)), t('atMost', {limit: millis(maxP99)}),
            verdict.p99Millis / maxP99, judged('p99'), 'unjudged')),
  ].filter(it => it !== null);
}

/** The server decides what is broken; the bar only draws how far a number is along its limit. */
function gauge(name, value, limit, part, state, unmetWords) {
  const fill = h('span', {class: 'gauge-fill'});
  fill.style.setProperty('inline-size', `${(Math.min(1, Number.isFinite(part) ? part : 0) * 100).toFixed(1)}%`);
  return h('li', {class: `gauge ${state}`, 'data-testid': `gauge-${name}`},
      h('span', {class: 'gauge-name', text: t(name)}),
      h('span', {class: 'gauge-value'}, h('b', {text: value}), ` ${limit}`),
      h('span', {class: 'gauge-bar', 'aria-hidden': 'true'}, fill),
      h('span', {class: 'gauge-state'},
          icon({met: 'healthy', unmet: 'hold', broken: 'breach'}[state]), t(state === 'unmet' ? unmetWords : state)));
}
