/**
 * All channels with both colors, and all processes that are known, each beside the rules that are published.
 */
import {attribute, foreign, h, icon, rebuilder, text} from './dom.js';
import {count, span} from './format.js';
import {t} from './i18n.js';
import {SidesPicture, sideMark} from './sides-view.js';

const SHOWN = 500;

export class ChannelsView {
  #cards = new Map();
  #open;
  #title = h('h1', {'data-testid': 'channels-title'});
  #none = h('p', {class: 'card muted'});
  #list = h('div', {class: 'channels', 'data-testid': 'channels'});
  #processes = new ProcessesView();

  /** @param {(release: string) => void} open shows a release */
  constructor(open) {
    this.#open = open;
    this.element = h('div', {class: 'page', hidden: true}, this.#title, this.#none, this.#list, this.#processes.element);
  }

  /** @param {{channels: import('./api.js').Channel[]|null, workloads: object|null}} state */
  render({channels, workloads}, language) {
    const all = channels ?? [];
    text(this.#title, t('channels'));
    text(this.#none, t(channels ? 'channelsNone' : 'loading'));
    attribute(this.#none, 'hidden', all.length > 0);
    const cards = all.map(channel => this.#card(channel, language));
    [...this.#cards.keys()].filter(id => !all.some(it => it.id === id)).forEach(id => this.#cards.delete(id));
    if (cards.length !== this.#list.children.length || cards.some((card, i) => card !== this.#list.children[i])) {
      this.#list.replaceChildren(...cards);
    }
    this.#processes.render(workloads, language);
  }

  #card(channel, language) {
    const card = this.#cards.get(channel.id) ?? new ChannelCard(channel.id, this.#open);
    this.#cards.set(channel.id, card);
    card.render(channel, language);
    return card.element;
  }
}

/** Kept while its channel is, so that the focus stays where it is. */
class ChannelCard {
  #release = null;
  #facts = h('p', {class: 'facts'});
  #words = h('span', {class: 'muted'});
  #button = h('button', {type: 'button', class: 'quiet', 'data-testid': 'channel-release'});
  #picture = new SidesPicture();
  #showFacts = rebuilder(this.#facts);

  constructor(id, open) {
    this.#button.addEventListener('click', () => open(this.#release));
    this.element = h('section', {class: 'card channel', 'data-testid': 'channel', 'data-channel': id},
        h('div', {class: 'card-head'}, h('h2', {}, foreign(id)), h('span', {class: 'channel-state'}, this.#words, this.#button)),
        this.#facts, this.#picture.element);
  }

  render(channel, language) {
    this.#release = channel.release ?? null;
    this.#showFacts([channel.services, language],
        () => [h('span', {class: 'fact'}, `${t('services')} `, ...channel.services.map(it => foreign(it, {class: 'chip'})))]);
    text(this.#words, t(this.#release === null ? 'channelAtRest' : 'channelInRelease'));
    attribute(this.#button, 'hidden', this.#release === null);
    text(this.#button, this.#release ?? '');
    this.#picture.render(channel.sides, null, language);
  }
}

class ProcessesView {
  #title = h('h2');
  #hint = h('p', {class: 'muted hint', 'data-testid': 'published'});
  #body = h('div', {class: 'scroll', tabindex: '0', role: 'region'});
  #show = rebuilder(this.#body);

  constructor() {
    this.element = h('section', {class: 'card processes', 'data-testid': 'processes'},
        h('div', {class: 'card-head'}, this.#title, this.#hint), this.#body);
  }

  render(heard, language) {
    const workloads = inOrder(heard?.workloads ?? []);
    text(this.#title, t('processes'));
    text(this.#hint, heard ? t('published', {revision: heard.published, count: count(workloads.length)}) : '');
    attribute(this.#body, 'aria-label', t('processes'));
    const shown = workloads.slice(0, SHOWN).map(it => ({...it, requests: 0, underWay: 0, unheardMillis: unheard(it)}));
    this.#show([shown, workloads.length, language], () => workloads.length === 0
      ? [h('p', {class: 'muted', text: t('processesNone')})]
      : [table(shown), ...(workloads.length > SHOWN ? [h('p', {class: 'muted', text: t('processesMore', {count: count(workloads.length - SHOWN)})})] : [])]);
  }
}

/** Those that need a look come first. */
function inOrder(workloads) {
  const needsLook = it => !it.reached || !it.applied || it.refusal !== '';
  return [...workloads.filter(needsLook), ...workloads.filter(it => !needsLook(it))];
}

/** To the second, and only of those that should have been heard of: the others are heard of every two. */
function unheard(it) {
  return it.reached ? 0 : Math.floor(it.unheardMillis / 1000) * 1000;
}

function table(workloads) {
  const heads = ['process', 'color', 'version', 'processState', 'processRules', 'processCrossed'];
  return h('table', {},
      h('thead', {}, h('tr', {}, ...heads.map(key => h('th', {scope: 'col', class: key === 'processCrossed' ? 'number' : null, text: t(key)})))),
      h('tbody', {}, ...workloads.map(row)));
}

function row(it) {
  return h('tr', {class: it.reached ? null : 'unreached', 'data-testid': 'process', 'data-instance': it.instance, 'data-reached': String(it.reached)},
      h('th', {scope: 'row'}, foreign(it.instance, {class: 'mono'})),
      h('td', {class: 'process-color'}, it.color ? sideMark(it.color) : null, t(it.color ? `color.${it.color}` : 'color.none')),
      h('td', {}, foreign(it.version, {class: 'mono'})),
      h('td', {}, ...standing(it)),
      h('td', {class: it.applied ? null : 'behind'}, h('span', {class: 'mono', text: `${it.epoch}.${it.revision}`}), ' ',
          it.applied || !it.reached ? null : h('span', {class: 'mark'}, icon('hold'), t('notApplied')),
          it.refusal ? h('span', {class: 'mark over'}, icon('breach'), foreign(it.refusal, {class: 'refusal'})) : null),
      h('td', {class: it.crossed > 0 ? 'number over' : 'number', text: count(it.crossed)}));
}

function standing(it) {
  if (!it.reached) {
    return [h('span', {class: 'mark over'}, icon('offline'), t('unheard', {span: span(it.unheardMillis)}))];
  }
  return [h('span', {text: t(it.ready ? 'instance.ready' : 'instance.unready')}),
    it.registered ? null : h('span', {class: 'muted', text: `, ${t('instance.unregistered')}`})].filter(part => part !== null);
}
