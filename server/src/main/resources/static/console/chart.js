/**
 * A small line chart of both lanes over the last two minutes, with a cross-hair. Charts that share a cross-hair show
 * the same moment.
 *
 * @typedef {{at: number, value: number|null}} Sample a gap where the value is null
 * @typedef {{name: 'stable'|'canary', words: string, samples: Sample[]}} Line
 * @typedef {{from: number, to: number, lines: Line[], limit?: number}} Picture times in epoch milliseconds
 */
import {attribute, h, svg, text} from './dom.js';
import {clock} from './format.js';
import {t} from './i18n.js';

const HEIGHT = 168;
const MARGIN = {top: 10, right: 10, bottom: 22, left: 58};
const TICK_MILLIS = 30_000;

/** One moment that several charts point at; null when none is pointed at. */
export class Crosshair {
  #charts = [];
  at = null;

  join(chart) {
    this.#charts.push(chart);
  }

  move(at) {
    this.at = at;
    this.#charts.forEach(chart => chart.draw());
  }
}

export class Chart {
  #titleKey;
  #format;
  #crosshair;
  /** @type {Picture|null} */
  #picture = null;
  #title = h('h3');
  #limit = h('span', {class: 'limit-note'});
  #readout = h('p', {class: 'readout'});
  #svg = svg('svg', {class: 'plot', tabindex: '0', role: 'img', height: HEIGHT});

  /**
   * @param {string} name for tests
   * @param {string} titleKey
   * @param {(value: number) => string} format
   * @param {Crosshair} crosshair
   */
  constructor(name, titleKey, format, crosshair) {
    this.#titleKey = titleKey;
    this.#format = format;
    this.#crosshair = crosshair;
    crosshair.join(this);
    this.element = h('figure', {class: 'chart', 'data-testid': `chart-${name}`},
        h('figcaption', {}, this.#title, this.#limit), this.#readout, this.#svg);
    this.#svg.addEventListener('pointermove', event => this.#point(event));
    this.#svg.addEventListener('pointerleave', () => crosshair.move(null));
    this.#svg.addEventListener('blur', () => crosshair.move(null));
    this.#svg.addEventListener('keydown', event => this.#key(event));
    new ResizeObserver(() => this.draw()).observe(this.#svg);
  }

  /** @param {Picture} picture */
  show(picture) {
    this.#picture = picture;
    this.draw();
  }

  draw() {
    const picture = this.#picture;
    const width = this.#svg.clientWidth;
    text(this.#title, t(this.#titleKey));
    if (!picture || width === 0) {
      return;
    }
    text(this.#limit, picture.limit === undefined ? '' : t('limit', {limit: this.#format(picture.limit)}));
    const scale = this.#scale(picture, width);
    const at = this.#crosshair.at === null ? null : clamp(this.#crosshair.at, picture.from, picture.to);
    this.#svg.replaceChildren(
        ...this.#grid(picture, scale, width),
        ...(scale.showsLimit ? [limitLine(scale.y(picture.limit), width)] : []),
        ...picture.lines.map(line => svg('path', {class: `line ${line.name}`, d: path(line.samples, scale)})),
        ...(at === null ? [] : this.#hair(picture, scale, at)));
    this.#read(picture, at);
  }

  /** The limit is drawn only near the curves: far above them it would press them flat. */
  #scale(picture, width) {
    const values = picture.lines.flatMap(line => line.samples).map(it => it.value).filter(it => it !== null);
    const highest = Math.max(0, ...values);
    const showsLimit = picture.limit !== undefined && highest * 4 >= picture.limit;
    const ticks = niceTicks(Math.max(highest, showsLimit ? picture.limit : 0));
    const top = ticks[ticks.length - 1];
    const inner = {w: width - MARGIN.left - MARGIN.right, h: HEIGHT - MARGIN.top - MARGIN.bottom};
    return {
      ticks,
      showsLimit,
      isEmpty: values.length === 0,
      x: at => MARGIN.left + (at - picture.from) / (picture.to - picture.from) * inner.w,
      y: value => MARGIN.top + (1 - value / top) * inner.h,
      at: x => picture.from + (x - MARGIN.left) / inner.w * (picture.to - picture.from),
    };
  }

  #grid(picture, scale, width) {
    const parts = [];
    for (const tick of scale.isEmpty ? [0] : scale.ticks) {
      const y = scale.y(scale.isEmpty ? 0 : tick);
      parts.push(svg('line', {class: 'grid', x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y}));
      parts.push(svg('text', {class: 'tick', x: MARGIN.left - 6, y: y + 4, 'text-anchor': 'end', text: this.#format(tick)}));
    }
    for (let at = picture.to; at > picture.from; at -= TICK_MILLIS) {
      const ago = picture.to - at;
      const anchor = ago === 0 ? 'end' : 'middle';
      const words = ago === 0 ? t('chartNow') : `−${ago / 1000}\u00a0s`;
      parts.push(svg('text', {class: 'tick', x: scale.x(at), y: HEIGHT - 5, 'text-anchor': anchor, text: words}));
    }
    if (scale.isEmpty) {
      parts.push(svg('text', {class: 'empty', x: width / 2, y: HEIGHT / 2, 'text-anchor': 'middle', text: t('chartEmpty')}));
    }
    return parts;
  }

  #hair(picture, scale, at) {
    const x = scale.x(nearest(picture, at));
    const dots = picture.lines
        .map(line => ({line, value: valueAt(line, at)}))
        .filter(it => it.value !== null)
        .map(it => svg('circle', {class: `dot ${it.line.name}`, cx: x, cy: scale.y(it.value), r: 3.5}));
    const side = at > (picture.from + picture.to) / 2 ? -1 : 1;
    return [
      svg('line', {class: 'hair', x1: x, x2: x, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom}),
      svg('text', {class: 'moment', x: x + side * 6, y: MARGIN.top + 10, 'text-anchor': side < 0 ? 'end' : 'start',
        text: clock(nearest(picture, at))}),
      ...dots,
    ];
  }

  /** The values at the cross-hair, or the newest ones. */
  #read(picture, at) {
    const lanes = picture.lines.map(line => {
      const value = at === null ? newest(line) : valueAt(line, at);
      return {line, words: value === null ? '–' : this.#format(value)};
    });
    const when = at === null ? t('chartNow') : clock(nearest(picture, at));
    this.#readout.replaceChildren(
        ...lanes.map(({line, words}) => h('span', {class: `reading ${line.name}`},
            swatch(line.name), `${line.words} `, h('b', {text: words}))));
    const spoken = lanes.map(({line, words}) => `${line.words} ${words}`).join(', ');
    attribute(this.#svg, 'aria-label', `${t(this.#titleKey)}, ${when}: ${spoken}. ${t('chartHint')}`);
  }

  #point(event) {
    if (this.#picture) {
      const scale = this.#scale(this.#picture, this.#svg.clientWidth);
      this.#crosshair.move(scale.at(event.clientX - this.#svg.getBoundingClientRect().left));
    }
  }

  #key(event) {
    const way = {ArrowLeft: -1000, ArrowRight: 1000}[event.key];
    if (way && this.#picture) {
      event.preventDefault();
      const from = this.#crosshair.at ?? this.#picture.to;
      this.#crosshair.move(clamp(from + way, this.#picture.from, this.#picture.to));
    } else if (event.key === 'Escape') {
      this.#crosshair.move(null);
    }
  }
}

/** A piece of a lane's line, for legends. */
export function swatch(lane) {
  return svg('svg', {class: 'swatch', viewBox: '0 0 22 8', 'aria-hidden': 'true'},
      svg('path', {class: `line ${lane}`, d: 'M1 4H21'}));
}

function limitLine(y, width) {
  return svg('line', {class: 'limit', x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y});
}

function path(samples, scale) {
  let pen = 'M';
  let d = '';
  samples.forEach((sample, index) => {
    if (sample.value === null) {
      pen = 'M';
      return;
    }
    const x = scale.x(sample.at).toFixed(1);
    const y = scale.y(sample.value).toFixed(1);
    const alone = pen === 'M' && (samples[index + 1]?.value ?? null) === null;
    d += `${pen}${x} ${y}${alone ? 'h0.1' : ''}`;
    pen = 'L';
  });
  return d;
}

/** Zero and two to four round steps up to at least the highest value. */
function niceTicks(highest) {
  if (highest <= 0) {
    return [0, 1];
  }
  const raw = highest / 3;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map(it => it * power).find(it => it >= raw);
  const ticks = [];
  for (let i = 0; i * step < highest + step; i++) {
    ticks.push(i * step);
  }
  return ticks;
}

function nearest(picture, at) {
  const second = picture.to - Math.round((picture.to - at) / 1000) * 1000;
  return clamp(second, picture.from, picture.to);
}

function valueAt(line, at) {
  const found = line.samples.find(sample => Math.abs(sample.at - at) <= 500);
  return found ? found.value : null;
}

function newest(line) {
  return line.samples.at(-1)?.value ?? null;
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}
