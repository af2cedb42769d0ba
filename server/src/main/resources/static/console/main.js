/**
 * The console: asks the server once a second and shows what it says.
 */
import {Api, Refused} from './api.js';
import {ChannelsView} from './channels-view.js';
import {ChooserView, inOrder} from './chooser-view.js';
import {CommandsView, problemsOf} from './commands-view.js';
import {Connection} from './connection.js';
import {attribute, h, text} from './dom.js';
import {EvidenceView} from './evidence-view.js';
import {percent} from './format.js';
import {language, switchLanguage, t, translate} from './i18n.js';
import {JournalView} from './journal-view.js';
import {ASKED_SECONDS, LanesView, NumbersView} from './lanes-view.js';
import {MigrationsView} from './migrations-view.js';
import {colorOf, isOfChannel, whereWords} from './release.js';
import {DetailsView, ReleaseView} from './release-view.js';
import {whatNext} from './sentence.js';
import * as session from './session.js';
import {SidesView} from './sides-view.js';
import {VerdictView} from './verdict-view.js';

const LOOK_MILLIS = 1000;
const LONGEST_RETRY_MILLIS = 60_000;
const SHOWN_DIFFERENCES = 50;

const byId = id => document.getElementById(id);

/** What was last heard. The report is of the release as it came to its step and phase. */
const NOTHING_HEARD = {releases: null, release: null, lanes: null, journal: [], report: null, channels: null, workloads: null,
  migrations: null, differences: new Map()};
const state = {...NOTHING_HEARD};
let api = null;
let selected = '';
/** What is looked at: one release, or all `channels` or `migrations`. */
let at = 'release';
let timer = 0;
/** Counts the looks, so that an answer that comes after a newer look began is let go. */
let generation = 0;
let refusals = 0;
/** Of what the report was asked last. */
let reported = '';

const connection = new Connection(byId('banner'), byId('live'), announce);
const chooser = new ChooserView(byId('release-list'), choose);
const commands = new CommandsView(send);
const lanesView = new LanesView();
const views = [new ReleaseView(commands.element), commands, new VerdictView(), lanesView, new NumbersView(),
  new JournalView(download), new DetailsView(), new EvidenceView()];
const sidesView = new SidesView();
const channelsView = new ChannelsView(choose);
const migrationsView = new MigrationsView(change, look);
const page = h('div', {class: 'page', hidden: true},
    h('div', {class: 'row top-row'}, views[0].element, sidesView.element, views[2].element),
    views[7].element,
    lanesView.element,
    h('div', {class: 'row bottom-row'}, views[4].element, views[5].element),
    views[6].element);
const nothing = h('p', {class: 'nothing', 'data-testid': 'nothing'});
const nothingHint = h('p', {class: 'nothing-hint'}, h('span'), ' ', h('code', {text: 'sluice release create'}));
byId('main').append(nothing, nothingHint, page, channelsView.element, migrationsView.element);

begin();

function begin() {
  const asked = session.readAddress();
  selected = asked.release;
  at = asked.page;
  byId('channels').addEventListener('click', () => choosePage('channels'));
  byId('migrations').addEventListener('click', () => choosePage('migrations'));
  byId('sign-in-form').addEventListener('submit', signIn);
  byId('sign-out').addEventListener('click', signOut);
  byId('language').addEventListener('click', () => {
    switchLanguage();
    render();
  });
  addEventListener('hashchange', followAddress);
  setInterval(() => connection.isDown && connection.render(), 1000);
  render();
  if (session.token()) {
    enter(session.token());
  } else {
    showSignIn('');
  }
}

function followAddress() {
  const asked = session.readAddress();
  if (asked.token) {
    enter(asked.token);
  }
  if (asked.page !== 'release') {
    choosePage(asked.page);
  } else if (asked.release) {
    choose(asked.release);
  }
}

/* Signing in and out */

async function signIn(event) {
  event.preventDefault();
  const token = byId('token').value.trim();
  if (token === '') {
    showSignIn(t('tokenMissing'));
    byId('token').focus();
    return;
  }
  try {
    await new Api(token).whoami();
  } catch (failure) {
    showSignIn(signInProblem(failure));
    byId('token').focus();
    return;
  }
  session.keep(token);
  byId('token').value = '';
  enter(token);
}

function signInProblem(failure) {
  if (failure.status === 401) {
    return t('tokenRefused');
  }
  const detail = failure instanceof Refused ? problemsOf(failure).join(' · ') : t('noAnswer');
  return t('tokenFailed', {detail});
}

function enter(token) {
  api = new Api(token);
  refusals = 0;
  showConsole();
  look();
}

function showConsole() {
  byId('sign-in').hidden = true;
  byId('console').hidden = false;
  byId('sign-out').hidden = false;
  byId('live').hidden = false;
  api.whoami().then(me => showName(me.name), () => {});
}

function signOut() {
  session.forget();
  api = null;
  generation++;
  refusals = 0;
  clearTimeout(timer);
  Object.assign(state, NOTHING_HEARD);
  reported = '';
  connection.answered();
  showSignIn('');
  byId('token').focus();
}

/**
 * A token that never worked is let go. One that stopped working may work again once the server has its data back, so it is tried again, more and more
 * seldom.
 */
function tokenLost() {
  clearTimeout(timer);
  if (state.releases === null) {
    session.forget();
    showSignIn(t('tokenRefused'));
    return;
  }
  refusals++;
  showSignIn(t('tokenLost'));
  timer = setTimeout(look, Math.min(LONGEST_RETRY_MILLIS, 5000 * 2 ** (refusals - 1)));
}

function showSignIn(problem) {
  byId('sign-in').hidden = false;
  byId('console').hidden = true;
  byId('sign-out').hidden = true;
  byId('live').hidden = true;
  showName('');
  closeDialogs();
  text(byId('sign-in-problem'), problem);
}

function showName(name) {
  text(byId('who'), name ? t('signedInAs', {name}) : '');
}

/* Looking */

async function look() {
  clearTimeout(timer);
  const mine = ++generation;
  try {
    await hear(mine);
    if (mine === generation) {
      heard();
    }
  } catch (failure) {
    if (mine === generation && failure instanceof Refused && failure.status === 401) {
      tokenLost();
      return;
    }
    if (mine === generation) {
      connection.failed(failure);
    }
  }
  if (mine === generation) {
    render();
    timer = setTimeout(look, LOOK_MILLIS);
  }
}

function heard() {
  connection.answered();
  if (refusals > 0) {
    refusals = 0;
    showConsole();
  }
}

async function hear(mine) {
  const releases = inOrder((await api.releases()).releases);
  if (at === 'migrations') {
    await hearMigrations(mine, releases);
    return;
  }
  if (at === 'channels') {
    const [{channels}, workloads] = await Promise.all([api.channels(), api.workloads()]);
    if (mine === generation) {
      Object.assign(state, {releases, channels, workloads});
    }
    return;
  }
  const release = releases.find(it => it.id === selected) ?? releases[0] ?? null;
  const [lanes, journal] = release
    ? await Promise.all([api.lanes(release.id, ASKED_SECONDS), api.journal(release.id)])
    : [null, {entries: []}];
  if (mine === generation) {
    const before = state.release;
    Object.assign(state, {releases, release, lanes, journal: newestFirst(journal.entries)});
    // The one that is looked at stays, also when it stops being the first of the list.
    selected ||= release?.id ?? '';
    announceChange(before, release);
    hearReport(release);
  }
}

/** Differences are many, so only those that somebody looks at are asked for. */
async function hearMigrations(mine, releases) {
  const {opened} = migrationsView;
  const [{migrations}, ...found] = await Promise.all([api.migrations(), ...opened.map(name => api.differences(name, SHOWN_DIFFERENCES))]);
  if (mine === generation) {
    const differences = new Map(opened.map((name, i) => [name, found[i].differences]));
    Object.assign(state, {releases, migrations, differences});
  }
}

/**
 * A report is large, and of the stages that are over it changes no more, so it is asked for once a step and phase. What it
 * adds may be missing: the page goes on without it, and asks again with the next look.
 */
async function hearReport(release) {
  const key = release ? `${release.id} ${release.step} ${release.phase}` : '';
  if (key === reported) {
    return;
  }
  reported = key;
  if (state.report?.release?.id !== release?.id) {
    state.report = null;
  }
  try {
    const report = release && release.phase !== 'draft' ? await api.report(release.id) : null;
    if (reported === key) {
      state.report = report;
      render();
    }
  } catch {
    if (reported === key) {
      reported = '';
    }
  }
}

/** Says a change of stage or phase to those who do not see it. */
function announceChange(before, now) {
  const isSame = before && now && before.id === now.id;
  if (isSame && (before.step !== now.step || before.phase !== now.phase || whereWords(before) !== whereWords(now))) {
    const share = isOfChannel(now) ? '' : `, ${percent(now.percent)}`;
    announce(`${whereWords(now)}${share}. ${whatNext(now, state.journal)}`);
  }
}

/** Entries of one moment keep the order in which they were written. */
function newestFirst(entries) {
  const isOldestFirst = entries.length > 1 && Date.parse(entries[0].at) < Date.parse(entries.at(-1).at);
  return isOldestFirst ? [...entries].reverse() : entries;
}

function choosePage(page) {
  at = page;
  closeDialogs();
  session.showPage(page);
  render();
  if (api) {
    look();
  }
}

function choose(id) {
  selected = id;
  at = 'release';
  closeDialogs();
  session.showRelease(id);
  lanesView.reset();
  const release = state.releases?.find(it => it.id === id) ?? null;
  if (release) {
    Object.assign(state, {release, lanes: null, journal: [], report: null});
    reported = '';
  }
  render();
  if (api) {
    look();
  }
}

/* Commanding */

async function send(id, command, body) {
  try {
    const after = await api.command(id, command, body);
    if (state.release?.id === after.id) {
      state.release = after;
    }
    announce(t('done', {command: t(`command.${command}`)}));
  } finally {
    look();
  }
}

/** The same for a migration. */
async function change(name, command, body) {
  try {
    const after = await api.changeMigration(name, body, command === 'observe' ? 'observe' : '');
    state.migrations = state.migrations?.map(it => (it.name === name ? after : it)) ?? null;
    announce(t('done', {command: t(`migration.${command}`)}));
  } finally {
    look();
  }
}

function closeDialogs() {
  commands.close();
  migrationsView.close();
}

/** Saves the report as it is now. The token goes in a header, so that a plain link would not do. */
async function download() {
  const {id} = state.release;
  try {
    const report = await api.report(id);
    const file = URL.createObjectURL(new Blob([JSON.stringify(report, null, 2)], {type: 'application/json'}));
    h('a', {href: file, download: `${id}-report.json`}).click();
    setTimeout(() => URL.revokeObjectURL(file), LONGEST_RETRY_MILLIS);
    announce(t('reportSaved'));
  } catch (failure) {
    connection.failed(failure);
  }
}

function announce(words) {
  byId('announcer').textContent = words;
}

/* Showing */

function render() {
  translate(document);
  text(byId('language'), t('otherLanguage'));
  byId('language').lang = language() === 'zh' ? 'en' : 'zh-CN';
  connection.render();
  const {releases} = state;
  const release = at === 'release' ? state.release : null;
  page.hidden = !release;
  channelsView.element.hidden = at !== 'channels';
  migrationsView.element.hidden = at !== 'migrations';
  nothing.hidden = Boolean(release) || at !== 'release';
  nothingHint.hidden = at !== 'release' || !releases || releases.length > 0;
  text(byId('channels'), t('channelsAndProcesses'));
  text(byId('migrations'), t('migrations'));
  ['channels', 'migrations'].forEach(it => attribute(byId(it), 'aria-current', at === it ? 'page' : null));
  text(nothing, t(releases ? 'noReleases' : 'loading'));
  text(nothingHint.firstElementChild, t('noReleasesHint'));
  chooser.render(releases ?? [], release?.id, language());
  document.title = release ? `${whereWords(release)} · ${release.id} · Sluice` : at === 'release' ? 'Sluice' : `${t(at)} · Sluice`;
  if (at === 'channels') {
    channelsView.render(state, language());
  }
  if (at === 'migrations') {
    migrationsView.render(state, language());
  }
  if (release) {
    renderRelease(release);
  }
}

function renderRelease(release) {
  const ofChannel = isOfChannel(release);
  attribute(page, 'data-strategy', release.strategy);
  attribute(page, 'data-canary', ofChannel ? colorOf(release, 'canary') : null);
  attribute(sidesView.element, 'hidden', !ofChannel);
  if (ofChannel) {
    sidesView.render(state, language());
  }
  views.forEach(view => view.render(state, language()));
}
