/**
 * What happened to a release, newest first: who, when, what and why.
 */
import {attribute, foreign, h, rebuilder, text} from './dom.js';
import {clock, count, millis, rate} from './format.js';
import {knows, t, word} from './i18n.js';
import {healthBadge} from './verdict-view.js';

const SHOWN = 200;

export class JournalView {
  #title = h('h2');
  #report = h('button', {type: 'button', class: 'quiet', 'data-testid': 'report'});
  #body = h('div', {class: 'entries', tabindex: '0', role: 'region'});
  #show = rebuilder(this.#body);

  /** @param {() => Promise<void>} download saves the report */
  constructor(download) {
    this.#report.addEventListener('click', download);
    this.element = h('section', {class: 'card journal', 'data-testid': 'journal'},
        h('div', {class: 'card-head'}, this.#title, this.#report), this.#body);
  }

  render({release, journal}, language) {
    text(this.#title, t('journal'));
    text(this.#report, t('report'));
    attribute(this.#report, 'title', t('reportHint', {command: `sluice release report ${release.id} --format html`}));
    attribute(this.#body, 'aria-label', t('journal'));
    this.#show([journal, language], () => journal.length === 0
      ? [h('p', {class: 'muted', text: t('journalEmpty')})]
      : [h('ol', {}, ...journal.slice(0, SHOWN).map(entry)), ...older(journal.length - SHOWN)]);
  }
}

/** @param {import('./api.js').JournalEntry} it */
function entry(it) {
  return h('li', {class: 'entry', 'data-testid': 'journal-entry', 'data-action': it.action},
      h('time', {datetime: it.at, title: it.at, text: clock(it.at)}),
      h('div', {class: 'entry-body'},
          h('p', {class: 'entry-head'},
              foreign(word('actor', it.actor), {class: 'actor'}),
              foreign(word('action', it.action), {class: `action ${it.action === 'abort' ? 'danger' : ''}`}),
              h('span', {class: 'arrow', 'aria-hidden': 'true', text: '→'}),
              foreign(outcome(it.outcome), {class: 'outcome'})),
          it.why ? h('p', {class: 'entry-why'}, foreign(it.why)) : null,
          it.verdict ? judged(it.verdict) : null));
}

/** `ramping 25%` or `paused draining blue, leaving 0%`, its phases and colors as the page says them. */
function outcome(words) {
  return words.replace(/[a-z]+(-[a-z]+)*/g, it => (knows(`phase.${it}`) ? t(`phase.${it}`).toLowerCase() : word('color', it)));
}

function judged(verdict) {
  return h('p', {class: 'entry-verdict'}, healthBadge(verdict.health), h('span', {text: t('numbersAtThatTime', {
    samples: count(verdict.samples),
    failures: count(verdict.failures),
    rate: rate(verdict.errorRate),
    p99: millis(verdict.p99Millis),
  })}));
}

function older(rest) {
  return rest > 0 ? [h('p', {class: 'muted', text: t('journalOlder', {count: rest})})] : [];
}
