/**
 * Whether the server answers, said plainly in a banner that comes and goes by itself.
 */
import {Unanswered} from './api.js';
import {problemsOf} from './commands-view.js';
import {attribute, h, icon, rebuilder, text} from './dom.js';
import {clock, span} from './format.js';
import {t} from './i18n.js';

export class Connection {
  #banner;
  #live;
  #announce;
  #show;
  #lastAnswer = Date.now();
  #failure = null;

  /** @param {HTMLElement} banner @param {HTMLElement} live @param {(words: string) => void} announce */
  constructor(banner, live, announce) {
    this.#banner = banner;
    this.#live = live;
    this.#announce = announce;
    this.#show = rebuilder(banner);
  }

  get isDown() {
    return this.#failure !== null;
  }

  answered() {
    const wasDown = this.isDown;
    this.#lastAnswer = Date.now();
    this.#failure = null;
    this.render();
    if (wasDown) {
      this.#announce(t('answersAgain'));
    }
  }

  failed(failure) {
    const wasDown = this.isDown;
    this.#failure = failure;
    this.render();
    if (!wasDown) {
      this.#announce(this.#words().join(' '));
    }
  }

  render() {
    document.body.classList.toggle('stale', this.isDown);
    attribute(this.#live, 'class', this.isDown ? 'live stale' : 'live');
    text(this.#live, this.isDown ? t('stale', {time: clock(this.#lastAnswer)}) : t('live'));
    attribute(this.#banner, 'hidden', !this.isDown);
    const [said, next] = this.isDown ? this.#words() : ['', ''];
    this.#show([said, next], () => (said
      ? [icon('offline'), h('p', {}, h('b', {text: said}), next ? h('span', {text: next}) : null)]
      : []));
  }

  #words() {
    if (this.#failure instanceof Unanswered) {
      return [t('silent', {span: span(Math.max(1000, Date.now() - this.#lastAnswer))}), t('silentNext')];
    }
    const detail = problemsOf(this.#failure).join(' · ');
    return [502, 503, 504].includes(this.#failure.status)
      ? [t('unready', {detail}), t('unreadyNext')]
      : [t('failing', {detail}), t('unreadyNext')];
  }
}
