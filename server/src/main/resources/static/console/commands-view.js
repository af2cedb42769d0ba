/**
 * The commands, each behind a dialog that says what it will do and asks why. The buttons never change places, so that
 * none slips under the pointer.
 */
import {Unanswered} from './api.js';
import {attribute, foreign, h, icon, text} from './dom.js';
import {percent} from './format.js';
import {t} from './i18n.js';
import {isBeforeNoReturn, isBlueGreen, isOfChannel, stagesOf, whereWords} from './release.js';

const COMMANDS = ['start', 'pause', 'resume', 'promote', 'back', 'abort'];
const WITHOUT_WHY = ['start', 'resume'];
/** How the server begins its refusal of an abort that has nowhere to go. */
const NO_WAY_BACK = 'NO_WAY_BACK: ';

export class CommandsView {
  #buttons = new Map(COMMANDS.map(command => [command, this.#button(command)]));
  #dialog;
  #release = null;

  /** @param {(id: string, command: string, body: object) => Promise<void>} send */
  constructor(send) {
    this.#dialog = new CommandDialog(send);
    this.element = h('div', {class: 'commands', role: 'group'}, ...this.#buttons.values(), this.#dialog.element);
  }

  render({release}) {
    this.#release = release;
    attribute(this.element, 'aria-label', t('commands'));
    for (const [command, button] of this.#buttons) {
      button.disabled = !release.allowedCommands.includes(command);
      text(button.lastElementChild, t(`command.${command}`));
    }
    this.#dialog.render(release);
  }

  /** A dialog that stays open would keep everything else from the keyboard. */
  close() {
    this.#dialog.element.close();
  }

  #button(command) {
    return h('button', {
      type: 'button',
      class: command === 'abort' ? 'command danger' : 'command',
      'data-testid': `command-${command}`,
      'aria-haspopup': 'dialog',
      onclick: () => this.#dialog.open(command, this.#release),
    }, icon(command), h('span'));
  }
}

class CommandDialog {
  #send;
  #command = '';
  /** The release as it was when the dialog opened: the step that the operator saw. */
  #seen = null;
  #isSending = false;
  #title = h('h2', {id: 'command-title'});
  #effect = h('p', {class: 'effect', id: 'command-effect', 'data-testid': 'effect'});
  #label = h('label', {for: 'why'});
  #why = h('textarea', {id: 'why', 'data-testid': 'why', rows: '3', maxlength: '500', 'aria-describedby': 'why-hint problems'});
  #hint = h('p', {class: 'muted hint', id: 'why-hint'});
  #seenNoReturn = h('input', {type: 'checkbox', id: 'no-return-seen', 'data-testid': 'no-return-seen'});
  #noReturnWords = h('span');
  #noReturn = h('label', {class: 'no-return', for: 'no-return-seen', hidden: true}, this.#seenNoReturn, this.#noReturnWords);
  #problems = h('ul', {class: 'problems', 'data-testid': 'problems'});
  #cancel = h('button', {type: 'button', class: 'quiet', 'data-testid': 'cancel', onclick: () => this.element.close()});
  #confirm = h('button', {type: 'submit', 'data-testid': 'confirm'});

  constructor(send) {
    this.#send = send;
    this.element = h('dialog', {'data-testid': 'dialog', 'aria-labelledby': 'command-title', 'aria-describedby': 'command-effect'},
        h('form', {novalidate: true, onsubmit: event => this.#submit(event)},
            this.#title, this.#effect, this.#label, this.#why, this.#hint, this.#noReturn, h('div', {id: 'problems', role: 'alert'}, this.#problems),
            h('div', {class: 'dialog-end'}, this.#cancel, this.#confirm)));
  }

  open(command, release) {
    this.#command = command;
    this.#seen = release;
    this.#why.value = '';
    this.#seenNoReturn.checked = false;
    this.#complain([]);
    const isGrave = command === 'abort' || this.#isNoReturn;
    attribute(this.element, 'class', isGrave ? 'danger' : '');
    attribute(this.#confirm, 'class', isGrave ? 'primary danger' : 'primary');
    this.render(release);
    this.element.showModal();
    this.#why.focus();
  }

  /** @param {import('./api.js').Release} now */
  render(now) {
    if (!this.#seen) {
      return;
    }
    text(this.#title, t(`ask.${this.#command}`, {id: this.#seen.id}));
    text(this.#effect, effect(this.#command, this.#seen));
    text(this.#label, t(WITHOUT_WHY.includes(this.#command) ? 'whyOptional' : 'whyLabel'));
    text(this.#hint, t('whyHint'));
    attribute(this.#noReturn, 'hidden', !this.#isNoReturn);
    text(this.#noReturnWords, t('noReturnSeen'));
    text(this.#cancel, t('cancel'));
    text(this.#confirm, this.#isSending ? t('sending') : t(`command.${this.#command}`));
    this.#confirm.disabled = this.#isSending || this.#hasMoved(now);
    if (this.element.open && this.#hasMoved(now) && this.#problems.childElementCount === 0) {
      this.#complain([t('moved')]);
    }
  }

  /** An abort never asks: it is right on every step. */
  #hasMoved(now) {
    return this.#command !== 'abort' && (now.id !== this.#seen.id || now.step !== this.#seen.step || whereNow(now) !== whereNow(this.#seen));
  }

  /** Whether what is about to be said leads where nothing leads back from. */
  get #isNoReturn() {
    return this.#command === 'promote' && isBeforeNoReturn(this.#seen);
  }

  async #submit(event) {
    event.preventDefault();
    const why = this.#why.value.trim();
    if (why === '' && !WITHOUT_WHY.includes(this.#command)) {
      this.#complain([t('whyMissing')]);
      this.#why.focus();
      return;
    }
    if (this.#isNoReturn && !this.#seenNoReturn.checked) {
      this.#complain([t('noReturnUnseen')], this.#seenNoReturn);
      this.#seenNoReturn.focus();
      return;
    }
    if (this.#isSending) {
      return;
    }
    const step = this.#command === 'abort' ? {} : {step: this.#seen.step};
    this.#setSending(true);
    this.#complain([]);
    try {
      await this.#send(this.#seen.id, this.#command, {...(why ? {why} : {}), ...step});
      this.element.close();
    } catch (failure) {
      this.#complain(problemsOf(failure));
    } finally {
      this.#setSending(false);
    }
  }

  #setSending(isSending) {
    this.#isSending = isSending;
    this.render(this.#seen);
  }

  #complain(lines, about = this.#why) {
    [this.#why, this.#seenNoReturn].forEach(it => attribute(it, 'aria-invalid', lines.length > 0 && it === about ? 'true' : null));
    this.#problems.replaceChildren(...lines.map(line => h('li', {'data-testid': 'problem'}, foreign(line))));
  }
}

/** Every problem the server named; what it said in general leads. */
export function problemsOf(failure) {
  if (failure instanceof Unanswered) {
    return [t('unknownOutcome')];
  }
  const named = (failure.problems ?? []).map(it => t('problem', {path: it.path, was: it.was, allowed: it.allowed}));
  const general = failure.detail || failure.title || failure.message;
  if (general.startsWith(NO_WAY_BACK)) {
    return [t('noWayBack'), general];
  }
  return named.length === 0 ? [general] : failure.detail ? [failure.detail, ...named] : named;
}

/** A release of a channel goes from phase to phase also where no share changes, and with it what a command means. */
function whereNow(release) {
  return isOfChannel(release) ? whereWords(release) : '';
}

function effect(command, release) {
  return isOfChannel(release) ? effectOnChannel(command, release) : effectOnCanary(command, release);
}

function effectOnChannel(command, release) {
  const stages = stagesOf(release);
  const stage = release.stage ?? 0;
  return t(`effect.${effectKey(command, release)}`, {
    version: release.version,
    side: t(`color.${release.side}`),
    percent: percent(release.percent),
    next: percent(stages[stage + 1]?.percent),
    previous: percent(stages[stage - 1]?.percent),
    waiting: (release.waitingFor ?? []).join('; ') || '–',
    where: whereWords(release),
    why: release.wayBackWhy,
    batches: release.batches ?? '',
  });
}

function effectKey(command, release) {
  const kind = release.strategy;
  switch (command) {
    case 'start':
      return `${kind}.start`;
    case 'promote':
      return promoteKey(release);
    case 'abort':
      return release.phase === 'draft' ? 'abort.draft' : release.wayBack ? `${kind}.abort` : 'channel.abort.closed';
    default:
      return `channel.${command}`;
  }
}

function promoteKey(release) {
  if (isBeforeNoReturn(release)) {
    return 'channel.promote.noReturn';
  }
  if (release.phase === 'returned') {
    return 'channel.promote.returned';
  }
  const isOnStage = isBlueGreen(release) && release.phase === 'admitting';
  if (!isOnStage) {
    return 'channel.promote';
  }
  return stagesOf(release)[(release.stage ?? 0) + 1] ? 'channel.promote.stage' : `channel.promote.last.${release.side}`;
}

function effectOnCanary(command, release) {
  const stages = release.plan.stages;
  const stage = release.stage ?? 0;
  const next = stages[stage + 1];
  const words = t(command === 'promote' && !next ? 'effect.promote.last' : `effect.${command}`, {
    version: release.version,
    percent: percent(release.percent),
    first: percent(stages[0]?.percent),
    next: percent(next?.percent),
    previous: percent(stages[stage - 1]?.percent),
  });
  if (command !== 'abort') {
    return words;
  }
  if (release.phase === 'draft') {
    return t('effect.abort.draft');
  }
  return release.phase === 'completed' ? `${words} ${t('effect.abort.completed')}` : words;
}
