/**
 * The list of releases: the live ones first, then the newest.
 */
import {attribute, foreign, h, text} from './dom.js';
import {percent} from './format.js';
import {phaseBadge} from './release-view.js';

const LIVE = ['ramping', 'paused'];

/**
 * The live ones first, otherwise as they come.
 *
 * @param {import('./api.js').Release[]} releases as the server lists them, newest first
 */
export function inOrder(releases) {
  const isLive = it => LIVE.includes(it.phase);
  return [...releases.filter(isLive), ...releases.filter(it => !isLive(it))];
}

export class ChooserView {
  #rows = new Map();
  #choose;

  /** @param {HTMLElement} element @param {(id: string) => void} choose */
  constructor(element, choose) {
    this.element = h('ul', {class: 'release-list', 'data-testid': 'releases'});
    this.#choose = choose;
    element.append(this.element);
  }

  /** Rows are kept, so that the focus stays where it is. */
  render(releases, selected, language) {
    const rows = releases.map(release => this.#row(release, selected, language));
    const ids = new Set(releases.map(it => it.id));
    [...this.#rows.keys()].filter(id => !ids.has(id)).forEach(id => this.#rows.delete(id));
    if (rows.length !== this.element.children.length || rows.some((row, i) => row !== this.element.children[i])) {
      this.element.replaceChildren(...rows);
    }
  }

  #row(release, selected, language) {
    const row = this.#rows.get(release.id) ?? this.#newRow(release.id);
    const button = row.firstElementChild;
    const [name, line] = button.children;
    text(name, release.id);
    const shown = JSON.stringify([release.phase, release.percent, language]);
    if (line.dataset.shown !== shown) {
      line.dataset.shown = shown;
      line.replaceChildren(phaseBadge(release.phase), h('span', {class: 'share', text: percent(release.percent)}));
    }
    attribute(button, 'aria-current', release.id === selected ? 'true' : null);
    return row;
  }

  #newRow(id) {
    const row = h('li', {}, h('button', {type: 'button', 'data-testid': 'release', 'data-release': id, onclick: () => this.#choose(id)},
        foreign(id, {class: 'name'}), h('span', {class: 'line-two'})));
    this.#rows.set(id, row);
    return row;
  }
}
