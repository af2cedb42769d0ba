/**
 * What may be changed of a migration, each behind a dialog that says what it will do and asks why.
 */
import {problemsOf} from './commands-view.js';
import {attribute, foreign, h, icon, text} from './dom.js';
import {count, percent} from './format.js';
import {t} from './i18n.js';

const COMMANDS = ['change', 'pause', 'resume', 'retry', 'observe', 'back'];
const ICONS = {change: 'promote', pause: 'pause', resume: 'resume', retry: 'start', observe: 'draft', back: 'back'};
const FASTEST = 100_000;

/** For the ids of fields, of which a page has one dialog for each migration. */
let dialogs = 0;

export class MigrationCommands {
  #buttons = new Map(COMMANDS.map(command => [command, this.#button(command)]));
  #dialog;
  #migration = null;

  /** @param {(name: string, command: string, body: object) => Promise<void>} send */
  constructor(send) {
    this.#dialog = new MigrationDialog(send);
    this.element = h('div', {class: 'commands', role: 'group'}, ...this.#buttons.values(), this.#dialog.element);
  }

  /** @param {import('./api.js').Migration} migration */
  render(migration) {
    this.#migration = migration;
    attribute(this.element, 'aria-label', t('commandsOf', {name: migration.name}));
    for (const [command, button] of this.#buttons) {
      button.disabled = !isAllowed(command, migration);
      text(button.lastElementChild, t(`migration.${command}`));
    }
    this.#dialog.render(migration);
  }

  close() {
    this.#dialog.element.close();
  }

  #button(command) {
    return h('button', {
      type: 'button',
      class: command === 'back' ? 'command danger' : 'command',
      'data-testid': `migration-${command}`,
      'aria-haspopup': 'dialog',
      onclick: () => this.#dialog.open(command, this.#migration),
    }, icon(ICONS[command]), h('span'));
  }
}

function isAllowed(command, {paused}) {
  return command === 'pause' ? !paused : command === 'resume' ? paused : true;
}

class MigrationDialog {
  #send;
  #command = '';
  /** The migration as it was when the dialog opened: the version that the operator saw. */
  #seen = null;
  #isSending = false;
  #id = `migration-${++dialogs}`;
  #title = h('h2', {id: `${this.#id}-title`});
  #effect = h('p', {class: 'effect', id: `${this.#id}-effect`, 'data-testid': 'migration-effect'});
  #percentLabel = h('label', {for: `${this.#id}-percent`});
  #percent = this.#number('percent', 'new-percent', 0, 100);
  #rateLabel = h('label', {for: `${this.#id}-rate`});
  #rate = this.#number('rate', 'keys-per-second', 1, FASTEST);
  #form = h('div', {class: 'numbers-asked'}, h('div', {}, this.#percentLabel, this.#percent), h('div', {}, this.#rateLabel, this.#rate));
  #label = h('label', {for: `${this.#id}-why`});
  #why = h('input', {id: `${this.#id}-why`, 'data-testid': 'migration-why', type: 'text', maxlength: '500', autocomplete: 'off',
    'aria-describedby': `${this.#id}-hint ${this.#id}-problems`});
  #hint = h('p', {class: 'muted hint', id: `${this.#id}-hint`});
  #problems = h('ul', {class: 'problems', 'data-testid': 'migration-problems'});
  #cancel = h('button', {type: 'button', class: 'quiet', 'data-testid': 'migration-cancel', onclick: () => this.element.close()});
  #confirm = h('button', {type: 'submit', 'data-testid': 'migration-confirm'});

  constructor(send) {
    this.#send = send;
    this.element = h('dialog', {'data-testid': 'migration-dialog', 'aria-labelledby': this.#title.id, 'aria-describedby': this.#effect.id},
        h('form', {novalidate: true, onsubmit: event => this.#submit(event)},
            this.#title, this.#effect, this.#form, this.#label, this.#why, this.#hint,
            h('div', {id: `${this.#id}-problems`, role: 'alert'}, this.#problems), h('div', {class: 'dialog-end'}, this.#cancel, this.#confirm)));
    this.#percent.addEventListener('input', () => this.render(this.#seen));
  }

  open(command, migration) {
    this.#command = command;
    this.#seen = migration;
    this.#why.value = '';
    this.#percent.value = String(migration.newPercent);
    this.#rate.value = String(migration.keysPerSecond);
    this.#complain([]);
    attribute(this.element, 'class', command === 'back' ? 'danger' : '');
    attribute(this.#confirm, 'class', command === 'back' ? 'primary danger' : 'primary');
    this.render(migration);
    this.element.showModal();
    (command === 'change' ? this.#percent : this.#why).focus();
  }

  /** @param {import('./api.js').Migration} now */
  render(now) {
    if (!this.#seen) {
      return;
    }
    const isChange = this.#command === 'change';
    text(this.#title, t(`migration.ask.${this.#command}`, {name: this.#seen.name}));
    text(this.#effect, this.#effectWords());
    attribute(this.#form, 'hidden', !isChange);
    text(this.#percentLabel, t('newPercent'));
    text(this.#rateLabel, t('keysPerSecond'));
    text(this.#label, t('whyLabel'));
    text(this.#hint, t('whyHint'));
    text(this.#cancel, t('cancel'));
    text(this.#confirm, this.#isSending ? t('sending') : t(`migration.${this.#command}`));
    this.#confirm.disabled = this.#isSending || this.#hasMoved(now);
    if (this.element.open && this.#hasMoved(now) && this.#problems.childElementCount === 0) {
      this.#complain([t('migrationMoved')]);
    }
  }

  /** The way back never asks: it is right whatever somebody else has changed. */
  #hasMoved(now) {
    return this.#command !== 'back' && now.version !== this.#seen.version;
  }

  #effectWords() {
    const {newPercent} = this.#seen;
    const wanted = wholeNumber(this.#percent, 0, 100);
    const way = wanted === null || wanted === newPercent ? '' : wanted > newPercent ? '.more' : '.fewer';
    return t(`migration.effect.${this.#command}${this.#command === 'change' ? way : ''}`,
        {from: percent(newPercent), to: percent(wanted ?? newPercent), count: count(this.#seen.alsoNew.length + this.#seen.heldBack.length)});
  }

  async #submit(event) {
    event.preventDefault();
    if (this.#isSending) {
      return;
    }
    const body = this.#body();
    if (!body) {
      return;
    }
    this.#setSending(true);
    this.#complain([]);
    try {
      await this.#send(this.#seen.name, this.#command, body);
      this.element.close();
    } catch (failure) {
      this.#complain(problemsOf(failure));
    } finally {
      this.#setSending(false);
    }
  }

  /** What is sent; null when something is missing, which is said. */
  #body() {
    const why = this.#why.value.trim();
    const asked = this.#command === 'change' ? this.#asked() : {};
    if (!asked) {
      return null;
    }
    if (why === '') {
      this.#complain([t('whyMissing')], this.#why);
      this.#why.focus();
      return null;
    }
    const {name, version} = this.#seen;
    switch (this.#command) {
      case 'change':
        return {why, version, ...asked};
      case 'pause':
      case 'resume':
        return {why, version, paused: this.#command === 'pause'};
      case 'retry':
        return {why, version, retry: true};
      case 'observe':
        return {why, name};
      default:
        return {why, newPercent: 0, alsoNew: [], heldBack: [], paused: false};
    }
  }

  /** Only what is different: a percentage that stays would try keys again that were handed back. */
  #asked() {
    const newPercent = wholeNumber(this.#percent, 0, 100);
    const keysPerSecond = wholeNumber(this.#rate, 1, FASTEST);
    if (newPercent === null) {
      this.#complain([t('wholeNumber', {least: count(0), most: count(100)})], this.#percent);
      this.#percent.focus();
      return null;
    }
    if (keysPerSecond === null) {
      this.#complain([t('wholeNumber', {least: count(1), most: count(FASTEST)})], this.#rate);
      this.#rate.focus();
      return null;
    }
    const asked = {
      ...(newPercent === this.#seen.newPercent ? {} : {newPercent}),
      ...(keysPerSecond === this.#seen.keysPerSecond ? {} : {keysPerSecond}),
    };
    if (Object.keys(asked).length === 0) {
      this.#complain([t('nothingChanged')], this.#percent);
      this.#percent.focus();
      return null;
    }
    return asked;
  }

  #number(name, testId, least, most) {
    return h('input', {id: `${this.#id}-${name}`, type: 'number', min: least, max: most, step: '1', inputmode: 'numeric', 'data-testid': testId,
      'aria-describedby': `${this.#id}-problems`});
  }

  #setSending(isSending) {
    this.#isSending = isSending;
    this.render(this.#seen);
  }

  #complain(lines, about = null) {
    [this.#percent, this.#rate, this.#why].forEach(it => attribute(it, 'aria-invalid', lines.length > 0 && it === about ? 'true' : null));
    this.#problems.replaceChildren(...lines.map(line => h('li', {'data-testid': 'migration-problem'}, foreign(line))));
  }
}

/** The whole number in a field; null when there is none within the limits. */
function wholeNumber(field, least, most) {
  const value = field.value.trim();
  const number = Number(value);
  return /^\d+$/.test(value) && number >= least && number <= most ? number : null;
}
