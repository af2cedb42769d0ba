/**
 * The list of releases: the live ones first, then the newest.
 */
import {attribute, foreign, h, text} from './dom.js';
import {percent} from './format.js';
import {t} from './i18n.js';
import {isLive, isOfChannel, whereWords} from './release.js';
import {phaseBadge} from './release-view.js';

/**
 * The live ones first, otherwise as they come.
 *
 * @param {import('./api.js').Release[]} releases as the server lists them, newest first
 */
export function inOrder(releases) {
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
    const [name, kind, line] = button.children;
    text(name, release.id);
    const channel = isOfChannel(release) ? ` · ${release.channel}` : '';
    text(kind, `${t(`strategy.${release.strategy}`)}${channel}`);
    const shown = JSON.stringify([whereWords(release), release.phase, release.percent, language]);
    if (line.dataset.shown !== shown) {
      line.dataset.shown = shown;
      const share = release.percent === undefined || release.percent === null ? '' : percent(release.percent);
      line.replaceChildren(phaseBadge(release), h('span', {class: 'share', text: share}));
    }
    attribute(button, 'aria-current', release.id === selected ? 'true' : null);
    return row;
  }

  #newRow(id) {
    const row = h('li', {}, h('button', {type: 'button', 'data-testid': 'release', 'data-release': id, onclick: () => this.#choose(id)},
        foreign(id, {class: 'name'}), foreign('', {class: 'kind', 'data-testid': 'release-kind'}), h('span', {class: 'line-two'})));
    this.#rows.set(id, row);
    return row;
  }
}
