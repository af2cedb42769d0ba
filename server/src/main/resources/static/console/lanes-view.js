/**
 * Both lanes side by side: curves of one service over the last two minutes, and the numbers of all.
 */
import {Chart, Crosshair, swatch} from './chart.js';
import {attribute, foreign, h, icon, rebuilder, text} from './dom.js';
import {count, fractionOf, millis, millisOf, percent, rate} from './format.js';
import {t} from './i18n.js';
import {isBlueGreen, isUncounted, laneTitle} from './release.js';
import {edgeOf} from './release-view.js';

const SECONDS = 120;
/** Reports come once a second, so the newest seconds are not whole yet. */
const UNFINISHED_SECONDS = 2;
/** A report that comes a moment late leaves one second empty and the next one double. */
const SMOOTH_SECONDS = 3;
const RATE_SECONDS = 5;
/** What the curves are made from. */
export const ASKED_SECONDS = SECONDS + UNFINISHED_SECONDS + RATE_SECONDS;
const LANES = ['stable', 'canary'];

export class LanesView {
  #chosen = null;
  #title = h('h2');
  #services = h('select', {id: 'service', 'data-testid': 'service'});
  #label = h('label', {for: 'service'});
  #showServices = rebuilder(this.#services);
  #crosshair = new Crosshair();
  #requests = new Chart('requests', 'requests', perSecond, this.#crosshair);
  #errors = new Chart('errors', 'errors', rate, this.#crosshair);
  #latency = new Chart('latency', 'latency', millis, this.#crosshair);
  #last = null;

  constructor() {
    this.#services.addEventListener('change', () => {
      this.#chosen = this.#services.value;
      this.#draw();
    });
    this.element = h('section', {class: 'card lanes', 'data-testid': 'lanes'},
        h('div', {class: 'card-head'}, this.#title,
            h('div', {class: 'choose'}, this.#label, this.#services)),
        h('div', {class: 'charts'}, this.#requests.element, this.#errors.element, this.#latency.element));
  }

  /** Another release, another set of services. */
  reset() {
    this.#chosen = null;
  }

  render({release, lanes}, language) {
    attribute(this.element, 'hidden', isUncounted(release));
    if (isUncounted(release)) {
      return;
    }
    text(this.#title, t(isBlueGreen(release) ? 'sidesLanes' : 'lanes'));
    text(this.#label, t('service'));
    const names = serviceNames(release, lanes);
    this.#showServices([names, language], () => names.map(name => option(name, release)));
    if (!names.includes(this.#chosen)) {
      this.#chosen = edgeOf(release, names) ?? '';
    }
    this.#services.value = this.#chosen;
    this.#last = {release, lanes};
    this.#draw();
  }

  #draw() {
    const {release, lanes} = this.#last;
    const now = Math.floor(Date.parse(lanes?.now ?? '') / 1000) * 1000;
    if (Number.isNaN(now)) {
      return;
    }
    const to = now - UNFINISHED_SECONDS * 1000;
    const from = to - SECONDS * 1000;
    const points = lanes.services.find(it => it.service === this.#chosen)?.points ?? [];
    const seconds = Object.fromEntries(LANES.map(lane => [lane, bySecond(points, lane)]));
    const lines = valueOf => LANES.map(name => ({name, words: laneTitle(release, name), samples: samples(from, to, at => valueOf(seconds[name], at))}));
    this.#requests.show({from, to, lines: lines(requestsAt)});
    this.#errors.show({from, to, lines: lines(errorRateAt), limit: fractionOf(release.guard.maxErrorRate)});
    this.#latency.show({from, to, lines: lines(p99At), limit: millisOf(release.guard.maxP99)});
  }
}

function option(name, release) {
  const words = release.services.includes(name) ? name : `${name} (${t('edge')})`;
  return h('option', {value: name, text: words});
}

/** The edges first, then the release's services, whether or not they report. */
function serviceNames(release, lanes) {
  const reported = [...(lanes?.services ?? []), ...(lanes?.totals ?? [])].map(it => it.service);
  const edges = [...new Set(reported)].filter(name => !release.services.includes(name)).sort();
  return [...edges, ...release.services];
}

function bySecond(points, lane) {
  return new Map(points.filter(it => it.lane === lane).map(it => [Math.floor(it.at / 1000) * 1000, it]));
}

function samples(from, to, valueAt) {
  const all = [];
  for (let at = from; at <= to; at += 1000) {
    all.push({at, value: valueAt(at)});
  }
  return all;
}

function perSecond(value) {
  return count(value >= 10 ? Math.round(value) : value);
}

/** The points of the last so many seconds, newest first. */
function last(length, seconds, at) {
  return Array.from({length}, (_, i) => seconds.get(at - i * 1000)).filter(it => it);
}

/** A lane without any request in sight has no curve; within its life a time without one is zero. */
function requestsAt(seconds, at) {
  const all = last(SMOOTH_SECONDS, seconds, at).reduce((sum, it) => sum + it.count, 0);
  return seconds.size === 0 ? null : all / SMOOTH_SECONDS;
}

function errorRateAt(seconds, at) {
  const points = last(RATE_SECONDS, seconds, at);
  const all = points.reduce((sum, it) => sum + it.count, 0);
  return all === 0 ? null : points.reduce((sum, it) => sum + it.failed, 0) / all;
}

function p99At(seconds, at) {
  return last(SMOOTH_SECONDS, seconds, at)[0]?.p99Millis ?? null;
}

export class NumbersView {
  #title = h('h2');
  #body = h('div', {class: 'scroll', tabindex: '0', role: 'region'});
  #show = rebuilder(this.#body);

  constructor() {
    this.element = h('section', {class: 'card numbers'}, this.#title, this.#body);
  }

  render({release, lanes}, language) {
    attribute(this.element, 'hidden', isUncounted(release));
    if (isUncounted(release)) {
      return;
    }
    text(this.#title, t('numbers'));
    attribute(this.#body, 'aria-label', t('numbers'));
    const totals = lanes?.totals ?? [];
    this.#show([totals, release.guard, laneTitle(release, 'canary'), language], () => totals.length === 0
      ? [h('p', {class: 'muted', text: t('numbersEmpty')})]
      : [table(release, totals)]);
  }
}

function table(release, totals) {
  const heads = [['service'], [isBlueGreen(release) ? 'color' : 'lane'], ['count', 'number'], ['share', 'number share-column'], ['failed', 'number'],
    ['errorRate', 'number'], ['p99Millis', 'number']];
  const names = serviceNames(release, {totals}).filter(name => totals.some(it => it.service === name));
  const rows = names.flatMap(name => LANES
      .map(lane => totals.find(it => it.service === name && it.lane === lane))
      .filter(it => it)
      .map((total, index, both) => row(total, index === 0 ? both.length : 0, sum(totals, name), release)));
  return h('table', {'data-testid': 'numbers'},
      h('thead', {}, h('tr', {}, ...heads.map(([key, type]) => h('th', {scope: 'col', class: type, text: t(key)})))),
      h('tbody', {}, ...rows));
}

function sum(totals, service) {
  return totals.filter(it => it.service === service).reduce((all, it) => all + it.count, 0);
}

/** @param {number} rows how many rows the service's name stands beside; 0 when a row above has it */
function row(total, rows, all, release) {
  const {guard} = release;
  const errorRate = total.count === 0 ? NaN : total.failed / total.count;
  const judged = total.lane === 'canary' && total.count >= guard.minSamples;
  return h('tr', {class: rows > 0 ? 'first' : null, 'data-service': total.service, 'data-lane': total.lane},
      rows > 0 ? h('th', {scope: 'rowgroup', rowspan: rows}, foreign(total.service)) : null,
      h('td', {class: 'lane'}, swatch(total.lane), laneTitle(release, total.lane)),
      h('td', {class: 'number', text: count(total.count)}),
      h('td', {class: 'number share-column', text: percent(total.count / all * 100, 1)}),
      h('td', {class: 'number', text: count(total.failed)}),
      limited(rate(errorRate), judged && errorRate > fractionOf(guard.maxErrorRate)),
      limited(count(total.p99Millis), judged && total.p99Millis > millisOf(guard.maxP99)));
}

function limited(words, isOver) {
  return isOver
    ? h('td', {class: 'number over'}, icon('breach'), words, h('span', {class: 'unseen', text: ` ${t('overLimit')}`}))
    : h('td', {class: 'number', text: words});
}
