/**
 * The phases of a release of a channel as a line of stations, with the point of no return between two of them, and the way
 * back as a second line.
 */
import {attribute, h, icon, rebuilder, text} from './dom.js';
import {t} from './i18n.js';
import {isOnWayBack, keyOf, placeOf, visited, wayBackFrom, wayForward} from './release.js';
import {sideMark} from './sides-view.js';

/** How a station looks that a release does not leave again. */
const ENDS = {completed: 'passed', aborted: 'ended'};
const KNOBS = {passed: 'healthy', ended: 'failed'};
const SPOKEN = {passed: 'stationDone', current: 'stationNow', ended: 'stationNow', ahead: 'stationAhead', unreached: 'stationLeftOut'};

export class StationsView {
  #forward = h('ol', {class: 'stations', 'data-testid': 'stations'});
  #back = h('ol', {class: 'stations back', 'data-testid': 'stations-back'});
  #backTitle = h('p', {class: 'stations-title'});
  #wayBack = h('p', {class: 'way-back', 'data-testid': 'way-back'});
  #waitingTitle = h('p', {class: 'stations-title'});
  #waiting = h('ul', {class: 'waiting', 'data-testid': 'waiting'});
  #showForward = rebuilder(this.#forward);
  #showBack = rebuilder(this.#back);
  #showWayBack = rebuilder(this.#wayBack);
  #showWaiting = rebuilder(this.#waiting);

  constructor() {
    this.element = h('div', {class: 'stations-place'},
        h('div', {class: 'stations-scroll'}, this.#forward), this.#backTitle, h('div', {class: 'stations-scroll'}, this.#back),
        this.#wayBack, this.#waitingTitle, this.#waiting);
  }

  render(release, journal, language) {
    const isBack = isOnWayBack(release);
    const forward = withStates(release, wayForward(release), isBack ? visited(journal) : null);
    const back = withStates(release, wayBackFrom(release, journal), null);
    attribute(this.#forward, 'aria-label', t('stations'));
    attribute(this.#back, 'aria-label', t('stationsBack'));
    attribute(this.element, 'data-paused', release.paused ? 'true' : null);
    this.#showForward([forward, language], () => forward.map(it => node(it)));
    this.#showBack([back, language], () => back.map(it => node(it)));
    text(this.#backTitle, t('stationsBack'));
    attribute(this.#backTitle, 'hidden', back.length === 0);
    attribute(this.#back, 'hidden', back.length === 0);
    this.#renderWayBack(release, language);
    this.#renderWaiting(release, language);
  }

  #renderWayBack(release, language) {
    const isAsked = !['draft', 'completed', 'aborted'].includes(release.phase) && !release.restoring;
    attribute(this.#wayBack, 'hidden', !isAsked);
    attribute(this.#wayBack, 'class', `way-back ${release.wayBack ? 'open' : 'closed'}`);
    attribute(this.#wayBack, 'data-open', String(release.wayBack));
    this.#showWayBack([release.wayBack, release.wayBackWhy, release.strategy, language], () => [
      icon(release.wayBack ? 'back' : 'gate'),
      h('span', {}, h('b', {text: t(release.wayBack ? 'wayBackOpen' : 'wayBackClosed')}), ' ',
          h('bdi', {text: release.wayBack ? t(`wayBackOpen.${release.strategy}`) : release.wayBackWhy})),
    ]);
  }

  #renderWaiting(release, language) {
    const lines = [...release.waitingFor ?? [], ...release.advice ?? []];
    text(this.#waitingTitle, t('waitingFor'));
    attribute(this.#waitingTitle, 'hidden', lines.length === 0);
    attribute(this.#waiting, 'hidden', lines.length === 0);
    this.#showWaiting([lines, language], () => lines.map(it => h('li', {}, h('bdi', {text: it}))));
  }
}

/** @param {Set<string>|null} seen where it was before it turned back; null while it goes forward */
function withStates(release, stations, seen) {
  const here = placeOf(release, stations);
  return stations.map((station, i) => ({...station, state: seen
    ? seen.has(keyOf(station)) ? 'passed' : 'unreached'
    : i < here ? 'passed' : i > here ? 'ahead' : ENDS[station.phase] ?? 'current'}));
}

function node(station) {
  return station.isGate ? gate(station) : h('li', {class: `station ${station.state}`, 'data-state': station.state,
    'data-station': keyOf(station), 'aria-current': station.state === 'current' ? 'step' : null},
      h('span', {class: 'knob'}, station.state in KNOBS ? icon(KNOBS[station.state]) : null),
      h('span', {class: 'station-words'},
          h('span', {class: 'station-name', text: station.index === undefined
            ? t(`phase.${station.phase}`) : t('batchNumber', {number: station.index + 1})}),
          station.side ? h('span', {class: `station-side ${station.side}`}, sideMark(station.side), t(`color.${station.side}`)) : null,
          h('span', {class: 'unseen', text: t(SPOKEN[station.state])})));
}

function gate(station) {
  const isPassed = station.state === 'passed';
  return h('li', {class: `gate ${isPassed ? 'passed' : ''}`, 'data-testid': 'no-return', 'data-state': station.state},
      icon('gate'),
      h('span', {class: 'gate-words'}, t('noReturn'), isPassed ? h('span', {class: 'unseen', text: ` ${t('stationDone')}`}) : null));
}
