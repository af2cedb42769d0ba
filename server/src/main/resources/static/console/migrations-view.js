/**
 * All migrations: where their keys are, who routes by which plan, and what the evidence says about the old side.
 */
import {attribute, foreign, h, icon, rebuilder, text} from './dom.js';
import {clock, count, percent, plain, span} from './format.js';
import {t, word} from './i18n.js';
import {MigrationCommands} from './migration-commands.js';

const SHOWN_PROCESSES = 200;
const SHOWN_DAYS = 31;
const PARTS = ['moved', 'frozen', 'toMove', 'handedBack'];

export class MigrationsView {
  #cards = new Map();
  #send;
  #look;
  #title = h('h1', {'data-testid': 'migrations-title'});
  #none = h('p', {class: 'card muted', 'data-testid': 'migrations-none'});
  #list = h('div', {class: 'channels', 'data-testid': 'migrations'});

  /**
   * @param {(name: string, command: string, body: object) => Promise<void>} send
   * @param {() => void} look asks the server at once
   */
  constructor(send, look) {
    this.#send = send;
    this.#look = look;
    this.element = h('div', {class: 'page', hidden: true}, this.#title, this.#none, this.#list);
  }

  /** The migrations whose differences somebody looks at. */
  get opened() {
    return [...this.#cards].filter(([, card]) => card.isOpen).map(([name]) => name);
  }

  /** @param {{migrations: import('./api.js').Migration[]|null, differences: Map<string, object[]>}} state */
  render({migrations, differences}, language) {
    const all = migrations ?? [];
    text(this.#title, t('migrations'));
    text(this.#none, t(migrations ? 'migrationsNone' : 'loading'));
    attribute(this.#none, 'hidden', all.length > 0);
    const cards = all.map(migration => this.#card(migration, differences.get(migration.name) ?? null, language));
    for (const [name, card] of this.#cards) {
      if (!all.some(it => it.name === name)) {
        card.close();
        this.#cards.delete(name);
      }
    }
    if (cards.length !== this.#list.children.length || cards.some((card, i) => card !== this.#list.children[i])) {
      this.#list.replaceChildren(...cards);
    }
  }

  /** A dialog that stays open would keep everything else from the keyboard. */
  close() {
    this.#cards.forEach(card => card.close());
  }

  #card(migration, differences, language) {
    const card = this.#cards.get(migration.name) ?? new MigrationCard(migration.name, this.#send, this.#look);
    this.#cards.set(migration.name, card);
    card.render(migration, differences, language);
    return card.element;
  }
}

/** Kept while its migration is, so that the focus stays where it is. */
class MigrationCard {
  #state = h('div', {class: 'phase-place'});
  #facts = h('p', {class: 'facts'});
  #wish = h('p', {class: 'next', 'data-testid': 'migration-wish'});
  #commands;
  #keys = h('div', {class: 'keys', 'data-testid': 'migration-keys'});
  #ready = h('div', {class: 'readiness', 'data-testid': 'migration-ready'});
  #days = new Part('migration-days');
  #processes = new Part('migration-processes');
  #summary = h('summary', {'data-testid': 'migration-differences-open'});
  #table = h('div', {class: 'scroll', tabindex: '0', role: 'region'});
  #differences = h('details', {class: 'differences', 'data-testid': 'migration-differences'}, this.#summary, this.#table);
  #showState = rebuilder(this.#state);
  #showFacts = rebuilder(this.#facts);
  #showKeys = rebuilder(this.#keys);
  #showReady = rebuilder(this.#ready);
  #showDifferences = rebuilder(this.#table);

  constructor(name, send, look) {
    this.#commands = new MigrationCommands(send);
    this.#differences.addEventListener('toggle', () => this.isOpen && look());
    this.element = h('section', {class: 'card migration', 'data-testid': 'migration', 'data-migration': name},
        h('div', {class: 'release-head'}, h('div', {class: 'release-name'}, h('h2', {}, foreign(name)), this.#facts), this.#state),
        this.#wish, this.#commands.element, this.#keys,
        h('div', {class: 'migration-evidence'}, this.#ready, this.#days.element),
        this.#processes.element, this.#differences);
  }

  get isOpen() {
    return this.#differences.open;
  }

  close() {
    this.#commands.close();
  }

  /** @param {import('./api.js').Migration} migration @param {object[]|null} differences */
  render(migration, differences, language) {
    attribute(this.element, 'data-version', migration.version);
    this.#showState([stateOf(migration), language], () => [badge(stateOf(migration))]);
    this.#showFacts([migration.revision, migration.version, migration.observedSince, migration.keysPerSecond, language], () => facts(migration));
    text(this.#wish, wish(migration));
    this.#commands.render(migration);
    this.#showKeys([migration.progress, migration.paused, language], () => keys(migration.progress));
    this.#showReady([migration.ready, migration.conditions, language], () => readiness(migration));
    this.#showDays(migration.days, language);
    this.#showProcesses(migration, language);
    this.#renderDifferences(migration, differences, language);
  }

  #showDays(all, language) {
    const days = [...all].reverse().slice(0, SHOWN_DAYS);
    const today = new Date().toISOString().slice(0, 10);
    this.#days.show(t('evidenceByDay'), '', [days, today, language],
        () => (days.length === 0 ? [h('p', {class: 'muted', text: t('evidenceByDayNone')})] : [daysTable(days, today)]));
  }

  #showProcesses({processes, revision, behind}, language) {
    const inOrder = [...processes.filter(needsLook(revision)), ...processes.filter(it => !needsLook(revision)(it))];
    const shown = inOrder.slice(0, SHOWN_PROCESSES).map(it => ({...it, unheardMillis: it.reached ? 0 : toSecond(it.unheardMillis)}));
    const words = t('processesBehind', {count: count(processes.length), behind: count(behind), revision: count(revision)});
    this.#processes.show(t('processes'), processes.length === 0 ? '' : words, [shown, processes.length, revision, language], () => shown.length === 0
      ? [h('p', {class: 'muted', text: t('migrationProcessesNone')})]
      : [processesTable(shown, revision),
        ...(inOrder.length > shown.length ? [h('p', {class: 'muted', text: t('processesMore', {count: count(inOrder.length - shown.length)})})] : [])]);
  }

  #renderDifferences(migration, differences, language) {
    const seen = migration.days.reduce((sum, day) => sum + day.shadowDiffs, 0);
    text(this.#summary, t('differences', {count: count(seen)}));
    attribute(this.#table, 'aria-label', t('differences', {count: count(seen)}));
    this.#showDifferences([differences, language], () => differencesTable(differences));
  }
}

/** A headline with a table below that may be wider than the card. */
class Part {
  #title = h('h3');
  #words = h('span', {class: 'muted hint'});
  #body = h('div', {class: 'scroll', tabindex: '0', role: 'region'});
  #show = rebuilder(this.#body);

  constructor(name) {
    this.element = h('div', {class: 'part-of', 'data-testid': name}, h('div', {class: 'part-head'}, this.#title, this.#words), this.#body);
  }

  show(title, words, shown, build) {
    text(this.#title, title);
    text(this.#words, words);
    attribute(this.#body, 'aria-label', title);
    this.#show(shown, build);
  }
}

/* What it is */

function stateOf({paused, progress}) {
  return paused ? 'paused' : progress?.state ?? 'unmoved';
}

const LOOKS = {moving: 'ramping', paused: 'paused', done: 'completed'};

function badge(state) {
  const look = LOOKS[state] ?? 'draft';
  return h('span', {class: `phase ${look}`, 'data-testid': 'migration-state', 'data-state': state},
      icon(look), h('span', {text: word('moving', state)}));
}

function facts({revision, version, observedSince, keysPerSecond}) {
  return [
    fact(t('planRevision'), count(revision)),
    fact(t('directiveVersion'), count(version)),
    fact(t('pace'), t('keysASecond', {count: count(keysPerSecond)})),
    fact(t('observedSince'), observedSince),
  ];
}

function fact(name, value) {
  return h('span', {class: 'fact'}, `${name} `, foreign(value, {class: 'mono'}));
}

function wish({newPercent, alsoNew, heldBack}) {
  const lists = [
    alsoNew.length > 0 ? t('wish.alsoNew', {count: count(alsoNew.length)}) : '',
    heldBack.length > 0 ? t('wish.heldBack', {count: count(heldBack.length)}) : '',
  ].filter(part => part !== '');
  return [t('wish', {percent: percent(newPercent)}), ...lists].join(' ');
}

/* Where the keys are */

function keys(progress) {
  if (!progress) {
    return [h('p', {class: 'muted', text: t('noMover')})];
  }
  // Frozen keys are among those that are still to be moved.
  const frozen = Math.min(progress.frozen, progress.toMove);
  const parts = {moved: progress.moved, frozen, toMove: progress.toMove - frozen, handedBack: progress.handedBack};
  const all = PARTS.reduce((sum, name) => sum + parts[name], 0);
  return [
    h('div', {class: 'split-bar keys-bar', 'aria-hidden': 'true'}, ...PARTS.filter(name => parts[name] > 0).map(name => bar(name, parts[name] / all))),
    h('dl', {class: 'keys-parts'}, ...PARTS.map(name => h('div', {},
        h('dt', {}, h('span', {class: `keys-mark ${name}`, 'aria-hidden': 'true'}), t(`keys.${name}`)),
        h('dd', {'data-testid': `keys-${name}`, text: count(parts[name])})))),
    h('p', {class: 'muted', 'data-testid': 'keys-rate', text: rateWords(progress)}),
  ];
}

function bar(name, part) {
  const element = h('span', {class: `part keys-part ${name}`});
  element.style.setProperty('flex-grow', String(part));
  return element;
}

function rateWords({state, keysPerSecond, secondsLeft}) {
  if (state === 'done') {
    return t('keysDone');
  }
  const rate = t('keysASecond', {count: count(keysPerSecond)});
  return secondsLeft === undefined ? t('keysNoEstimate', {rate}) : t('keysLeft', {rate, left: span(secondsLeft * 1000)});
}

/* Whether the old side may go */

function readiness({ready, conditions}) {
  const unmet = conditions.filter(it => !it.met).length;
  return [
    h('p', {class: 'readiness-word'}, h('span', {class: `health ${ready ? 'healthy' : 'hold'}`, 'data-testid': 'migration-ready-word', 'data-ready': String(ready)},
        icon(ready ? 'healthy' : 'hold'), h('span', {text: ready ? t('ready') : t('notReady', {unmet: count(unmet), all: count(conditions.length)})}))),
    h('ul', {class: 'conditions'}, ...conditions.map(condition)),
  ];
}

function condition({criterion, met, seen, limit, unmet}) {
  const isRate = criterion.endsWith('Bps');
  const value = number => (isRate ? t('bps', {count: plain(number)}) : count(number));
  const words = t(isRate ? 'conditionAtMost' : 'conditionAtLeast', {name: word('condition', criterion), seen: value(seen), limit: value(limit)});
  return h('li', {class: met ? 'met' : 'unmet', 'data-testid': 'condition', 'data-criterion': criterion, 'data-met': String(met)},
      icon(met ? 'healthy' : 'failed'),
      h('span', {}, h('span', {class: 'unseen', text: `${t(met ? 'conditionMet' : 'conditionUnmet')}: `}), words,
          unmet ? foreign(unmet, {class: 'condition-why'}) : null));
}

function daysTable(days, today) {
  const heads = ['day', 'newSuccesses', 'fallbacksBps', 'differencesBps', 'watched'];
  const most = Math.max(1, ...days.map(it => it.newSuccesses));
  return table(heads, ['newSuccesses', 'fallbacksBps', 'differencesBps'], days.map(it => dayRow(it, today, most)));
}

function dayRow(it, today, most) {
  const watched = it.complete ? 'complete' : it.date >= today ? 'underWay' : 'interrupted';
  const fill = h('span', {class: 'day-fill'});
  fill.style.setProperty('inline-size', `${(it.newSuccesses / most * 100).toFixed(1)}%`);
  return h('tr', {'data-testid': 'migration-day', 'data-date': it.date, 'data-watched': watched},
      h('th', {scope: 'row', class: 'day-name', text: it.date}),
      h('td', {class: 'number day-count'}, count(it.newSuccesses), h('span', {class: 'day-bar', 'aria-hidden': 'true'}, fill)),
      h('td', {class: it.fallbacks > 0 ? 'number hint-bad' : 'number', text: bps(it.fallbacks, it.newSuccesses + it.fallbacks)}),
      h('td', {class: it.shadowDiffs > 0 ? 'number hint-bad' : 'number', text: bps(it.shadowDiffs, it.shadowChecks)}),
      h('td', {class: watched === 'interrupted' ? 'watched over' : 'watched muted'}, watched === 'interrupted' ? icon('breach') : null, t(`watched.${watched}`)));
}

/** Rounded up, so that what is above a limit also reads so. */
function bps(part, all) {
  return all === 0 ? '–' : plain(Math.ceil(part * 1_000_000 / all) / 100);
}

/* Who routes by which plan */

function needsLook(revision) {
  return it => !it.reached || it.planRevision < revision;
}

/** Only of those that should have been heard of. */
function toSecond(millis) {
  return Math.floor(millis / 1000) * 1000;
}

function processesTable(processes, revision) {
  return table(['process', 'planRevision', 'processState'], [], processes.map(it => processRow(it, revision)));
}

function processRow(it, revision) {
  const isBehind = it.planRevision < revision;
  return h('tr', {class: it.reached ? null : 'unreached', 'data-testid': 'migration-process', 'data-reporter': it.reporter,
    'data-reached': String(it.reached), 'data-behind': String(isBehind)},
      h('th', {scope: 'row'}, foreign(it.reporter, {class: 'mono'})),
      h('td', {class: isBehind ? 'behind' : null}, h('span', {class: 'mono', text: count(it.planRevision)}), ' ',
          isBehind ? h('span', {class: 'mark'}, icon('hold'), t('behind')) : null),
      h('td', {}, it.reached ? t('heard') : h('span', {class: 'mark over'}, icon('offline'), t('unheard', {span: span(it.unheardMillis)}))));
}

/* What differed */

function differencesTable(differences) {
  if (!differences) {
    return [h('p', {class: 'muted', text: t('loading')})];
  }
  if (differences.length === 0) {
    return [h('p', {class: 'muted', text: t('differencesNone')})];
  }
  const rows = differences.map(it => h('tr', {'data-testid': 'difference', 'data-id': it.id},
      h('th', {scope: 'row'}, foreign(it.key, {class: 'mono'})),
      h('td', {}, foreign(it.read, {class: 'mono'})),
      h('td', {class: 'number', text: count(it.version)}),
      h('td', {class: 'value'}, h('span', {class: 'muted', text: `${word('owner', it.authority)} `}), foreign(it.authorityValue, {class: 'mono'})),
      h('td', {class: 'value'}, foreign(it.otherValue, {class: 'mono'})),
      h('td', {class: 'moment-of', text: clock(it.at)})));
  return [table(['key', 'read', 'keyVersion', 'ownerSaid', 'otherSaid', 'at'], ['keyVersion'], rows)];
}

function table(heads, numbers, rows) {
  return h('table', {},
      h('thead', {}, h('tr', {}, ...heads.map(key => h('th', {scope: 'col', class: numbers.includes(key) ? 'number' : null, text: t(`column.${key}`)})))),
      h('tbody', {}, ...rows));
}
