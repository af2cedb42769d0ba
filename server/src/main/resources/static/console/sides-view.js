/**
 * Both colors of a channel side by side: what each gets, what it runs, and its instances as blocks.
 *
 * @typedef {import('./api.js').Side} Side
 * @typedef {import('./api.js').SideInstance} SideInstance
 */
import {attribute, foreign, h, icon, rebuilder, svg, text} from './dom.js';
import {count, percent, times} from './format.js';
import {t} from './i18n.js';

/** The shape of a color, a disc or a diamond, for those who do not tell the colors apart. */
export function sideMark(color) {
  return svg('svg', {class: `side-mark ${color}`, viewBox: '0 0 12 12', 'aria-hidden': 'true'},
      color === 'blue' ? svg('circle', {cx: 6, cy: 6, r: 5}) : svg('path', {d: 'M6 0.5L11.5 6L6 11.5L0.5 6z'}));
}

/** The picture alone, as the page of a release and the list of channels have it. */
export class SidesPicture {
  #bar = new ShareBar();
  #pair = h('div', {class: 'side-pair'});
  #show = rebuilder(this.#pair);
  /** The changing numbers of each instance, by its place. */
  #rates = [];

  constructor() {
    this.element = h('div', {class: 'sides-picture'}, this.#bar.element, this.#pair);
  }

  /** @param {Side[]} sides @param {string|null} admitted the color that is being released, if any */
  render(sides, admitted, language) {
    this.#bar.render(sides);
    const shown = sides.map(side => [side.color, side.versions, side.share, side.instances.map(standing)]);
    this.#show([shown, admitted, language], () => {
      this.#rates = [];
      return sides.map(side => this.#side(side, side.color !== undefined && side.color === admitted));
    });
    sides.flatMap(side => inOrder(side.instances)).forEach((it, i) => text(this.#rates[i], count(Number(it.requestsPerSecond))));
  }

  #side(side, isReleased) {
    const color = side.color ?? 'none';
    const services = [...new Set(side.instances.map(it => it.service))].sort();
    return h('section', {class: `side ${color}`, 'data-testid': `side-${color}`, 'data-share': side.share ?? null},
        h('h3', {class: 'side-head'},
            side.color ? sideMark(color) : null,
            h('span', {text: t(`side.${color}`)}),
            side.share === undefined ? null : h('b', {class: 'side-share', text: percent(side.share)}),
            ...side.versions.map(it => foreign(it, {class: 'chip mono'})),
            isReleased ? h('span', {class: 'side-role', text: t('sideReleased')}) : null),
        ...(services.length === 0 ? [h('p', {class: 'muted', text: t('sideEmpty')})] : []),
        ...services.flatMap(service => [
          foreign(service, {class: 'side-service'}),
          h('ul', {class: 'blocks'},
              ...inOrder(side.instances).filter(it => it.service === service).map(it => this.#block(it, side.versions.length > 1))),
        ]));
  }

  #block(it, showsVersion) {
    const rate = h('b');
    this.#rates.push(rate);
    return h('li', {class: `block ${worst(it)}`, 'data-testid': 'instance', 'data-instance': it.instance, 'data-state': worst(it)},
        foreign(placeWithin(it), {class: 'block-name', title: it.instance}),
        h('span', {class: 'block-rate'}, rate, t('perSecond')),
        showsVersion ? foreign(it.version, {class: 'block-version mono'}) : null,
        ...states(it).map(state => h('span', {class: `block-state ${state}`}, icon(DRAWN[state]), t(`instance.${state}`))),
        it.imbalance === null || it.imbalance === undefined ? null
          : h('span', {class: 'block-imbalance', 'data-testid': 'imbalance'}, icon('breach'), t('imbalance', {times: times(it.imbalance)})));
  }
}

const DRAWN = {ready: 'healthy', unready: 'hold', unregistered: 'unregistered', unreached: 'offline'};

/** Of one that was not heard of nothing else is known to be so still. */
function states(it) {
  if (!it.reached) {
    return ['unreached'];
  }
  const states = [it.ready ? '' : 'unready', it.registered ? '' : 'unregistered'].filter(state => state !== '');
  return states.length === 0 ? ['ready'] : states;
}

function worst(it) {
  return states(it)[0];
}

/** All of an instance that the picture is built from; its rate is put in afterwards. */
function standing(it) {
  return [it.service, it.instance, it.version, it.ready, it.registered, it.reached, it.imbalance ?? null];
}

function inOrder(instances) {
  return [...instances].sort((a, b) => (a.service < b.service ? -1 : a.service > b.service ? 1 : 0));
}

/** `order@10.0.0.7:8080` stands under its service already. */
function placeWithin({service, instance}) {
  return instance.startsWith(`${service}@`) ? instance.slice(service.length + 1) : instance;
}

/** How requests part between the colors. */
class ShareBar {
  #blue = h('span', {class: 'part side-blue'});
  #green = h('span', {class: 'part side-green'});
  #blueWords = h('span', {class: 'end side-blue'});
  #greenWords = h('span', {class: 'end side-green'});

  constructor() {
    this.element = h('div', {class: 'split', 'data-testid': 'shares'},
        h('div', {class: 'split-ends'}, this.#blueWords, this.#greenWords),
        h('div', {class: 'split-bar sides-bar', 'aria-hidden': 'true'}, this.#blue, this.#green));
  }

  render(sides) {
    const share = color => Number(sides.find(it => it.color === color)?.share ?? 0);
    const blue = share('blue');
    attribute(this.element, 'data-blue', blue);
    attribute(this.#blue, 'hidden', blue === 0);
    attribute(this.#green, 'hidden', blue === 100);
    this.#blue.style.setProperty('inline-size', `${blue}%`);
    text(this.#blueWords, `${t('side.blue')} ${percent(blue)}`);
    text(this.#greenWords, `${t('side.green')} ${percent(share('green'))}`);
  }
}

/** On the page of a release: the picture, and which processes need somebody's look. */
export class SidesView {
  #title = h('h2');
  #picture = new SidesPicture();
  #notes = h('div', {class: 'notes'});
  #showNotes = rebuilder(this.#notes);

  constructor() {
    this.element = h('section', {class: 'card sides', 'data-testid': 'sides'}, this.#title, this.#picture.element, this.#notes);
  }

  render({release}, language) {
    text(this.#title, t('sides'));
    this.#picture.render(release.sides ?? [], released(release), language);
    const {refusals = [], crossed = 0} = release;
    this.#showNotes([missed(release), refusals, crossed, language], () => [
      crossing(crossed),
      ...missedNotes(release),
      ...refusals.length === 0 ? []
        : [names('refusals', refusals.map(it => [foreign(it.instance, {class: 'mono'}), ': ', foreign(it.why)]))],
    ]);
  }
}

/** The color whose turn it is; outside a blue-green release, none. */
function released(release) {
  return release.strategy === 'blue-green' && !release.restoring ? release.side ?? null : null;
}

function crossing(crossed) {
  return h('p', {class: crossed > 0 ? 'note bad' : 'note good', 'data-testid': 'crossed'},
      icon(crossed > 0 ? 'breach' : 'healthy'), h('span', {text: t(crossed > 0 ? 'crossed' : 'crossedNone', {count: count(crossed)})}));
}

/** Whom a release has not reached. Who is a moment behind any other change than an abort is no news. */
export function missed({phase, unapplied = [], unreached = []}) {
  return {unapplied: phase === 'aborted' || phase === 'returned' ? unapplied : [], unreached};
}

export function missedNotes(release) {
  return Object.entries(missed(release)).filter(([, all]) => all.length > 0)
      .map(([kind, all]) => names(kind, all.map(it => [foreign(it, {class: 'mono'})])));
}

function names(kind, lines) {
  return h('div', {class: 'note bad', 'data-testid': kind}, icon(kind === 'refusals' ? 'breach' : 'offline'),
      h('div', {}, h('b', {text: t(kind)}), h('ul', {}, ...lines.map(line => h('li', {}, ...line)))));
}
