/**
 * What the guard knows: each metric of each reporter, canary beside stable, and how far the evidence is on its way to the
 * threshold.
 */
import {attribute, foreign, h, icon, rebuilder, text} from './dom.js';
import {count, evidence, plain} from './format.js';
import {knows, t, word} from './i18n.js';
import {isJudged, isOfChannel, isRolling, laneInText, laneTitle} from './release.js';

const SHARE = 'sample_ratio';

export class EvidenceView {
  #title = h('h2');
  #hint = h('p', {class: 'muted hint'});
  #body = h('div', {class: 'scroll', tabindex: '0', role: 'region'});
  #show = rebuilder(this.#body);

  constructor() {
    this.element = h('section', {class: 'card evidence', 'data-testid': 'evidence'},
        h('div', {class: 'card-head'}, this.#title, this.#hint), this.#body);
  }

  render({release, report}, language) {
    text(this.#title, t('evidence'));
    text(this.#hint, t('evidenceHint', {canary: laneInText(release, 'canary'), stable: laneInText(release, 'stable')}));
    attribute(this.#body, 'aria-label', t('evidence'));
    const findings = findingsOf(release, report);
    const isAskedFor = isOfChannel(release) ? !isRolling(release) && (isJudged(release) || findings.length > 0) : release.phase !== 'draft';
    attribute(this.element, 'hidden', !isAskedFor);
    this.#show([findings, release.guard, release.percent, release.phase, release.side, language], () => findings.length === 0
      ? [h('p', {class: 'muted', text: t(nothingYet(release))})]
      : [table(findings, release)]);
  }
}

/**
 * Those of the current verdict; once a release is over, what its last stage ended with.
 *
 * @returns {import('./api.js').Finding[]}
 */
export function findingsOf(release, report) {
  const current = release.verdict?.findings ?? [];
  if (current.length > 0 || isJudged(release)) {
    return current;
  }
  const last = report?.stages?.at(-1);
  const found = last?.verdict?.findings ?? [];
  return found.length > 0 ? found : last?.evidence ?? [];
}

function nothingYet(release) {
  if (release.phase === 'aborted' || release.phase === 'completed') {
    return 'evidenceNever';
  }
  return Number(release.percent) === 0 || Number(release.percent) === 100 ? 'evidenceNobody' : 'evidenceNone';
}

function table(findings, release) {
  const heads = [['seenBy'], ['metric'], ['canary', 'number'], ['stable', 'number'], ['evidenceOfLimit', 'evidence-column'], ['counts']];
  const reporters = [...new Set(findings.map(it => it.reporter))];
  const rows = reporters.flatMap(reporter => findings
      .filter(it => it.reporter === reporter)
      .map((it, index, all) => row(it, index === 0 ? all.length : 0, release)));
  return h('table', {},
      h('thead', {}, h('tr', {}, ...heads.map(([key, type]) => h('th', {scope: 'col', class: type,
        text: key === 'canary' || key === 'stable' ? laneTitle(release, key) : t(key)})))),
      h('tbody', {}, ...rows));
}

/** @param {number} rows how many rows the reporter's name stands beside; 0 when a row above has it */
function row(finding, rows, release) {
  const classes = [rows > 0 ? 'first' : '', finding.critical ? 'critical' : 'shown'].join(' ').trim();
  return h('tr', {class: classes, 'data-testid': 'finding', 'data-reporter': finding.reporter,
    'data-metric': finding.metric, 'data-health': finding.health},
      rows > 0 ? h('th', {scope: 'rowgroup', rowspan: rows}, foreign(word('reporter', finding.reporter))) : null,
      h('td', {class: 'metric'}, foreign(finding.metric, {class: 'mono'}), ' ',
          h('span', {class: 'muted', text: described(finding.metric, release)})),
      h('td', {class: 'number', text: badOf(finding, finding.canaryBad, finding.canary)}),
      h('td', {class: 'number', text: badOf(finding, finding.stableBad, finding.stable)}),
      h('td', {class: 'evidence-column'}, progress(finding, release)),
      h('td', {class: 'counts', text: t(finding.critical ? 'critical' : 'onlyShown')}));
}

function described(metric, release) {
  const key = `metric.${metric}`;
  return knows(key) ? t(key, {stable: laneInText(release, 'stable')}) : '';
}

/** A share of the customers has no bad ones, and a number of another system counts nobody. */
function badOf(finding, bad, all) {
  if (!Number.isFinite(all) || (finding.canary === 0 && finding.stable === 0)) {
    return '–';
  }
  return finding.metric === SHARE ? count(all) : `${count(bad ?? 0)} / ${count(all)}`;
}

/** Evidence grows by factors, so its bar is logarithmic, from odds of 1 on; the number of another system is as it is. */
function progress(finding, release) {
  const {value, limit} = finding;
  const own = isNumberOfASource(finding, release);
  const part = own ? value / limit : Math.log(value) / Math.log(limit);
  const known = Number.isFinite(value) && Number.isFinite(limit);
  const state = known && (own ? value > limit : value >= limit) ? 'reached' : 'under';
  const fill = h('span', {class: 'evidence-fill'});
  fill.style.setProperty('inline-size', `${(Math.min(1, Math.max(0, known ? part : 0)) * 100).toFixed(1)}%`);
  const words = own ? plain : evidence;
  return h('span', {class: `progress-to ${state}`},
      h('span', {class: 'evidence-bar', 'aria-hidden': 'true'}, fill),
      h('span', {class: 'evidence-words'},
          state === 'reached' ? icon('breach') : null,
          known ? t('evidenceOf', {value: words(value), limit: words(limit)}) : '–'));
}

/** A metric of the plan that asks another system for one number. */
function isNumberOfASource(finding, release) {
  const asked = Array.isArray(release.guard.metrics) ? release.guard.metrics : [];
  return !finding.reporter.startsWith('(') && !release.services.includes(finding.reporter)
      && asked.some(it => it.name === finding.metric && it.query !== undefined);
}
