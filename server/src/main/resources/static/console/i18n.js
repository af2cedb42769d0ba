/**
 * The console's words in English and Chinese. One word per idea, as in the design's list of words.
 */

const KEY = 'sluice.language';

const EN = {
  skip: 'Skip to the release',
  otherLanguage: '中文',
  signOut: 'Sign out',
  signedInAs: 'Signed in as {name}',
  signInTitle: 'Sign in',
  signInHint: 'The server printed a setup token at its first start. Tokens made with it work here too. It is kept in this tab only.',
  token: 'Token',
  signIn: 'Sign in',
  tokenMissing: 'Enter a token.',
  tokenRefused: 'The server does not know this token.',
  tokenLost: 'The server no longer accepts this token. Enter another; this one is tried again by itself.',
  tokenFailed: 'Could not sign in: {detail}',
  noAnswer: 'it does not answer',
  live: 'Live',
  stale: 'As of {time}',

  silent: 'Server does not answer since {span}; traffic goes on by the last rules.',
  silentNext: 'Shown is the last that was known. This page reconnects by itself.',
  unready: 'Server is up, but cannot work now: {detail}',
  unreadyNext: 'Traffic goes on by the last rules. This page tries again by itself.',
  failing: 'Server could not answer: {detail}',
  answersAgain: 'Server answers again.',

  releases: 'Releases',
  noReleases: 'No release yet',
  noReleasesHint: 'Create one with the command line:',
  loading: 'Asking the server…',

  'phase.draft': 'Draft',
  'phase.ramping': 'Ramping',
  'phase.paused': 'Paused',
  'phase.completed': 'Completed',
  'phase.aborted': 'Aborted',
  retired: 'Retired: a later release took over its services.',
  version: 'Version',
  services: 'Services',
  step: 'Step',
  allowlist: 'Allowlist',
  customers: '{count} customers',
  rulesCount: 'Rules',
  bucketing: 'Hash and salt',
  details: 'Details',

  stages: 'Stages',
  stageNow: 'Stage {stage} of {stages}, {percent}',
  stageNone: 'Not on a stage, {percent} on canary',
  stageDone: 'All stages passed, {percent} on canary',
  stagePassed: 'passed',
  stageCurrent: 'current',
  stageAhead: 'ahead',
  hold: 'Time held on this stage',
  held: '{held} of {hold}',
  splitSeen: '{percent} seen at {service} on this step',

  'next.draft': 'Not started: no request knows of it.',
  'next.advance': 'Advances to {percent} in {span} if healthy.',
  'next.complete': 'Completes in {span} if healthy.',
  'next.hold': 'Holding: {reason}.',
  'next.hold.insufficient_samples': 'Holding: insufficient_samples, {samples} of {minSamples} for {service}.',
  'next.hold.no_data': 'Holding: no_data for {service}. See that an instance with {version} runs, gets requests and reports.',
  'next.hold.data_stopped': 'Holding: data_stopped for {service}. See whether its {version} instances still run and report.',
  'next.breach': 'Breach: {reason}. The guard aborts.',
  'next.paused': 'Paused: {why}. Stays at {percent} until resumed; the guard goes on watching.',
  'next.completed': 'Completed: everybody is on canary. Bring {version} to the stable instances before the next release.',
  'next.aborted': 'Aborted by {actor}: {why}',
  'next.aborted.unknown': 'Aborted: {why}',
  'next.aborted.after': 'All requests go to stable. Another attempt is a new release with its own id.',
  everything: 'all services',

  verdict: 'Verdict',
  'health.HEALTHY': 'Healthy',
  'health.HOLD': 'Hold',
  'health.BREACH': 'Breach',
  verdictNone: 'No verdict: nothing is judged in this phase.',
  verdictAwaited: 'No verdict yet.',
  verdictAbout: 'worst is {service}',
  samples: 'Samples',
  errorRate: 'Error rate',
  p99: 'P99',
  p99Millis: 'P99, ms',
  atLeast: 'at least {limit}',
  atMost: 'at most {limit}',
  met: 'met',
  tooFew: 'too few',
  unjudged: 'not judged yet',
  broken: 'broken',

  lanes: 'Both lanes',
  service: 'Service',
  edge: 'edge',
  stable: 'Stable',
  canary: 'Canary',
  requests: 'Requests per second',
  errors: 'Error rate, over 5 s',
  latency: 'P99 latency',
  limit: 'limit {limit}',
  chartHint: 'Arrow keys move the cross-hair, Escape ends it.',
  chartNow: 'now',
  chartEmpty: 'No requests in the last 2 minutes',

  numbers: 'Numbers of this step',
  numbersEmpty: 'Nothing was counted on this step.',
  lane: 'Lane',
  count: 'Requests',
  share: 'Share',
  failed: 'Errors',
  overLimit: 'over the limit',

  journal: 'Journal',
  journalEmpty: 'Nothing happened yet.',
  journalOlder: '{count} older entries are in the report.',
  'actor.guard': 'guard',
  'actor.orchestrator': 'orchestrator',
  'action.create': 'create',
  'action.start': 'start',
  'action.pause': 'pause',
  'action.resume': 'resume',
  'action.promote': 'promote',
  'action.back': 'back',
  'action.abort': 'abort',
  'action.advance': 'advance',
  'action.complete': 'complete',
  'action.verdict': 'verdict',
  numbersAtThatTime: 'samples {samples}, errors {failures} ({rate}), P99 {p99}',

  commands: 'Commands',
  'command.start': 'Start',
  'command.pause': 'Pause',
  'command.resume': 'Resume',
  'command.promote': 'Promote',
  'command.back': 'Back',
  'command.abort': 'Abort',
  'ask.start': 'Start {id}?',
  'ask.pause': 'Pause {id}?',
  'ask.resume': 'Resume {id}?',
  'ask.promote': 'Promote {id}?',
  'ask.back': 'Take {id} one stage back?',
  'ask.abort': 'Abort {id}?',
  'effect.start': '{first} of the customers go to {version} at once.',
  'effect.pause': 'It stays at {percent}. The guard goes on watching and may abort.',
  'effect.resume': 'It goes on at {percent}; time already held counts.',
  'effect.promote': 'It goes from {percent} to {next} at once, without waiting for the rest of the hold.',
  'effect.promote.last': 'It completes at once, without waiting for the rest of the hold. Everybody stays on canary.',
  'effect.back': 'It goes back from {percent} to {previous} and is paused there until resumed.',
  'effect.abort': 'All requests go to stable at once, allowlisted customers included. This is final.',
  'effect.abort.draft': 'It never starts. This is final.',
  'effect.abort.completed': 'It helps only as long as the stable instances still run the old version.',
  whyLabel: 'Why',
  whyOptional: 'Why (may be left out)',
  whyHint: 'Goes into the journal with your name.',
  whyMissing: 'Say why.',
  cancel: 'Cancel',
  sending: 'Sending…',
  done: '{command}: done.',
  moved: 'It is on another step by now. Close this and look again.',
  unknownOutcome: 'The server did not answer. Whether this was carried out is not known: look at the phase before trying again.',
  problem: '{path} was {was}, but {allowed}',
};

const ZH = {
  skip: '跳到发布',
  otherLanguage: 'English',
  signOut: '退出',
  signedInAs: '已登录：{name}',
  signInTitle: '登录',
  signInHint: '服务器首次启动时会打印一次初始令牌，用它创建的令牌也可在此使用。令牌只保存在当前标签页。',
  token: '令牌',
  signIn: '登录',
  tokenMissing: '请输入令牌。',
  tokenRefused: '服务器不认识这个令牌。',
  tokenLost: '服务器不再接受此令牌。请输入另一个；此令牌会自动重试。',
  tokenFailed: '无法登录：{detail}',
  noAnswer: '没有响应',
  live: '实时',
  stale: '截至 {time}',

  silent: '服务器已 {span} 没有响应；流量继续按最后的规则分流。',
  silentNext: '页面显示最后已知的状态，并会自动重连。',
  unready: '服务器已启动，但暂时无法工作：{detail}',
  unreadyNext: '流量继续按最后的规则分流。页面会自动重试。',
  failing: '服务器无法回答：{detail}',
  answersAgain: '服务器已恢复响应。',

  releases: '发布',
  noReleases: '还没有发布',
  noReleasesHint: '用命令行创建一个：',
  loading: '正在询问服务器…',

  'phase.draft': '草稿',
  'phase.ramping': '放量中',
  'phase.paused': '已暂停',
  'phase.completed': '已完成',
  'phase.aborted': '已中止',
  retired: '已退役：后来的发布接管了它的服务。',
  version: '版本',
  services: '服务',
  step: '步',
  allowlist: '白名单',
  customers: '{count} 位客户',
  rulesCount: '灰度规则',
  bucketing: '哈希与盐值',
  details: '详情',

  stages: '档位',
  stageNow: '第 {stage} 档，共 {stages} 档，{percent}',
  stageNone: '不在任何档位，金丝雀 {percent}',
  stageDone: '所有档位已通过，金丝雀 {percent}',
  stagePassed: '已通过',
  stageCurrent: '当前',
  stageAhead: '未到',
  hold: '本档已保持的时间',
  held: '{held}，共 {hold}',
  splitSeen: '本步在 {service} 实测 {percent}',

  'next.draft': '尚未开始：没有请求知道它。',
  'next.advance': '若健康，{span} 后放量到 {percent}。',
  'next.complete': '若健康，{span} 后完成。',
  'next.hold': '保持：{reason}。',
  'next.hold.insufficient_samples': '保持：样本不足（insufficient_samples），{service} 已有 {samples} 个，需要 {minSamples} 个。',
  'next.hold.no_data': '保持：{service} 没有数据（no_data）。请确认 {version} 的实例在运行、有请求并在上报。',
  'next.hold.data_stopped': '保持：{service} 的数据中断（data_stopped）。请确认 {version} 的实例仍在运行并上报。',
  'next.breach': '越限：{reason}。守卫正在中止。',
  'next.paused': '已暂停：{why}。在恢复之前停在 {percent}；守卫继续监视。',
  'next.completed': '已完成：所有人都在金丝雀。下一次发布前，请把稳定实例升级到 {version}。',
  'next.aborted': '由 {actor} 中止：{why}',
  'next.aborted.unknown': '已中止：{why}',
  'next.aborted.after': '所有请求都去稳定版本。再次尝试需要一个新 id 的发布。',
  everything: '所有服务',

  verdict: '判定',
  'health.HEALTHY': '健康',
  'health.HOLD': '保持',
  'health.BREACH': '越限',
  verdictNone: '没有判定：此阶段不作判定。',
  verdictAwaited: '还没有判定。',
  verdictAbout: '最差的是 {service}',
  samples: '样本数',
  errorRate: '错误率',
  p99: 'P99',
  p99Millis: 'P99，ms',
  atLeast: '至少 {limit}',
  atMost: '至多 {limit}',
  met: '满足',
  tooFew: '还不够',
  unjudged: '尚未判定',
  broken: '越限',

  lanes: '两条泳道',
  service: '服务',
  edge: '入口',
  stable: '稳定',
  canary: '金丝雀',
  requests: '每秒请求数',
  errors: '错误率（5 秒窗口）',
  latency: 'P99 延迟',
  limit: '上限 {limit}',
  chartHint: '方向键移动十字线，Esc 结束。',
  chartNow: '现在',
  chartEmpty: '最近 2 分钟没有请求',

  numbers: '本步的数字',
  numbersEmpty: '本步还没有计数。',
  lane: '泳道',
  count: '请求数',
  share: '占比',
  failed: '错误数',
  overLimit: '超过上限',

  journal: '日志',
  journalEmpty: '还没有发生任何事。',
  journalOlder: '另有 {count} 条更早的记录，见报告。',
  'actor.guard': '守卫',
  'actor.orchestrator': '编排器',
  'action.create': '创建',
  'action.start': '开始',
  'action.pause': '暂停',
  'action.resume': '恢复',
  'action.promote': '放量',
  'action.back': '退一档',
  'action.abort': '中止',
  'action.advance': '自动放量',
  'action.complete': '完成',
  'action.verdict': '判定',
  numbersAtThatTime: '样本 {samples}，错误 {failures}（{rate}），P99 {p99}',

  commands: '操作',
  'command.start': '开始',
  'command.pause': '暂停',
  'command.resume': '恢复',
  'command.promote': '放量',
  'command.back': '退一档',
  'command.abort': '中止',
  'ask.start': '开始 {id}？',
  'ask.pause': '暂停 {id}？',
  'ask.resume': '恢复 {id}？',
  'ask.promote': '放量 {id}？',
  'ask.back': '把 {id} 退回一档？',
  'ask.abort': '中止 {id}？',
  'effect.start': '{first} 的客户立即去 {version}。',
  'effect.pause': '停在 {percent}。守卫继续监视，仍可能中止。',
  'effect.resume': '从 {percent} 继续；已保持的时间有效。',
  'effect.promote': '立即从 {percent} 放量到 {next}，不等剩余的保持时间。',
  'effect.promote.last': '立即完成，不等剩余的保持时间。所有人留在金丝雀。',
  'effect.back': '从 {percent} 退回 {previous}，并在那里暂停，直到恢复。',
  'effect.abort': '所有请求立即去稳定版本，包括白名单客户。此操作不可撤销。',
  'effect.abort.draft': '它将永不开始。此操作不可撤销。',
  'effect.abort.completed': '只有稳定实例仍在运行旧版本时才有用。',
  whyLabel: '原因',
  whyOptional: '原因（可不填）',
  whyHint: '会与您的名字一起写入日志。',
  whyMissing: '请说明原因。',
  cancel: '取消',
  sending: '发送中…',
  done: '{command}：已完成。',
  moved: '它已进入另一步。请关闭后重新查看。',
  unknownOutcome: '服务器没有响应，不知道是否已执行：请先查看阶段，再决定是否重试。',
  problem: '{path} 为 {was}，但 {allowed}',
};

const WORDS = {en: EN, zh: ZH};
let current = localStorage.getItem(KEY) ?? (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en');
if (!(current in WORDS)) {
  current = 'en';
}

/** @returns {'en'|'zh'} */
export function language() {
  return current;
}

export function switchLanguage() {
  current = current === 'en' ? 'zh' : 'en';
  localStorage.setItem(KEY, current);
}

/**
 * The words for a key. A word that is missing shows as its key, so that a value the server adds later stays readable.
 *
 * @param {string} key
 * @param {Object<string, string|number>} [values] what stands in its braces
 */
export function t(key, values = {}) {
  const words = WORDS[current][key] ?? key;
  return words.replace(/\{(\w+)\}/g, (brace, name) => (name in values ? String(values[name]) : brace));
}

export function knows(key) {
  return Object.hasOwn(EN, key);
}

/** A word of the server's, in the language of the page where the dictionary has it. */
export function word(kind, value) {
  return knows(`${kind}.${value}`) ? t(`${kind}.${value}`) : value;
}

/** Puts the words into the parts of the page that are plain HTML. */
export function translate(root) {
  document.documentElement.lang = current === 'zh' ? 'zh-CN' : 'en';
  for (const element of root.querySelectorAll('[data-text]')) {
    element.textContent = t(element.dataset.text);
  }
}
