/**
 * The server's HTTP API as this console uses it.
 *
 * @typedef {{path: string, was: string, allowed: string}} Problem
 * @typedef {{reporter: string, metric: string, critical: boolean, health?: string, reason?: string, canary: number,
 *     canaryBad: number, stable: number, stableBad: number, value: number|null, limit: number|null}} Finding
 * @typedef {{health: 'HEALTHY'|'HOLD'|'BREACH', reason: string, service: string, samples: number, failures: number,
 *     errorRate: number, p99Millis: number, findings?: Finding[]}} Verdict
 * @typedef {{percent: number|string, hold: string, samples?: number}} Stage
 * @typedef {{minSamples: number, maxErrorRate: number|string, maxP99: string, maxSilence?: string,
 *     metrics?: {name: string, query?: string}[], onBreach?: string, mostStepBacks?: number}} Guard
 * @typedef {{id: string, version: string, services: string[], salt: string, hash: string, allow: number,
 *     rules: object[], plan: {stages: Stage[], pace?: string}, guard: Guard, phase: string, stage?: number, percent: number,
 *     heldMillis?: number, holdMillis?: number, step: number, revision: number, why?: string, retired: boolean,
 *     stepBacks?: number, verdict?: Verdict, allowedCommands: string[], strategy: string, channel?: string, paused?: boolean,
 *     restoring?: boolean, side?: string|null, wayBack?: boolean, wayBackWhy?: string, waitingFor?: string[], advice?: string[],
 *     sides?: Side[], unapplied?: string[], unreached?: string[], refusals?: {instance: string, why: string}[], crossed?: number,
 *     batch?: {index: number, part: string, instances: string[]}, batches?: number, green?: Stage[], extra?: object,
 *     check?: string, deployer?: string}} Release what follows the strategy only of a channel's
 * @typedef {{service: string, instance: string, version: string, ready: boolean, registered: boolean, reached: boolean,
 *     requests: number, requestsPerSecond: number, plannedShare: number, share?: number, imbalance: number|null}} SideInstance
 * @typedef {{color?: 'blue'|'green', share?: number, versions: string[], instances: SideInstance[]}} Side
 * @typedef {{id: string, services: string[], release: string|null, bluePercent: number, sides: Side[]}} Channel
 * @typedef {{service: string, instance: string, color?: string, version: string, ready: boolean, registered: boolean,
 *     crossed: number, epoch: number, revision: number, refusal: string, reached: boolean, unheardMillis: number,
 *     applied: boolean}} Workload
 * @typedef {{stages: {step: number, percent: number, achievedPercent?: number, verdict?: Verdict,
 *     evidence?: Finding[]}[]}} Report
 * @typedef {{at: string, actor: string, action: string, why: string, outcome: string, verdict?: Verdict}} JournalEntry
 * @typedef {{at: number, lane: 'stable'|'canary', count: number, failed: number, p50Millis: number,
 *     p99Millis: number}} Point
 * @typedef {{service: string, lane: 'stable'|'canary', count: number, failed: number, p99Millis: number}} Total
 * @typedef {{criterion: string, met: boolean, seen?: number, limit: number, unmet?: string}} Condition
 * @typedef {{date: string, newSuccesses: number, fallbacks: number, shadowChecks: number, shadowDiffs: number, complete: boolean}} Day
 * @typedef {{name: string, version: number, revision: number, newPercent: number, alsoNew: string[], heldBack: string[],
 *     keysPerSecond: number, paused: boolean, observedSince: string, behind: number, progress?: object,
 *     processes: {reporter: string, planRevision: number, reached: boolean, unheardMillis: number}[], days: Day[],
 *     ready: boolean, conditions: Condition[]}} Migration
 * @typedef {{now: string, services: {service: string, points: Point[]}[], totals: Total[]}} Lanes
 */

const ROOT = new URL('../api/v1/', import.meta.url);
const PATIENCE_MILLIS = 4000;

/** The server answered, and refused. */
export class Refused extends Error {
  /** @param {number} status @param {string} title @param {string} detail @param {Problem[]} problems */
  constructor(status, title, detail, problems) {
    super(detail || title);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.problems = problems;
  }
}

/** No answer that could be read: whether a command was carried out is not known. */
export class Unanswered extends Error {}

export class Api {
  /** @param {string} token */
  constructor(token) {
    this.token = token;
  }

  whoami() {
    return this.#call('GET', 'whoami');
  }

  /** @returns {Promise<{releases: Release[]}>} */
  releases() {
    return this.#call('GET', 'releases');
  }

  /** @returns {Promise<{channels: Channel[]}>} */
  channels() {
    return this.#call('GET', 'channels');
  }

  /** @returns {Promise<{published: string, workloads: Workload[]}>} */
  workloads() {
    return this.#call('GET', 'workloads');
  }

  /** @returns {Promise<{migrations: Migration[]}>} */
  migrations() {
    return this.#call('GET', 'migrations');
  }

  /** @returns {Promise<{differences: object[]}>} the newest first */
  differences(name, most) {
    return this.#call('GET', `migrations/${encodeURIComponent(name)}/differences?most=${most}`);
  }

  /** @param {string} [command] `observe`; a change otherwise. @returns {Promise<Migration>} */
  changeMigration(name, body, command = '') {
    return this.#call('POST', `migrations/${encodeURIComponent(name)}${command === '' ? '' : `/${command}`}`, body);
  }

  /** @returns {Promise<Lanes>} */
  lanes(id, seconds) {
    return this.#call('GET', `releases/${encodeURIComponent(id)}/lanes?seconds=${seconds}`);
  }

  /** @returns {Promise<{entries: JournalEntry[]}>} */
  journal(id) {
    return this.#call('GET', `releases/${encodeURIComponent(id)}/journal`);
  }

  /** @returns {Promise<Report>} */
  report(id) {
    return this.#call('GET', `releases/${encodeURIComponent(id)}/report`);
  }

  /** @returns {Promise<Release>} */
  command(id, command, body) {
    return this.#call('POST', `releases/${encodeURIComponent(id)}/${command}`, body);
  }

  async #call(method, path, body) {
    const headers = {Accept: 'application/json', Authorization: `Bearer ${this.token}`};
    if (body !== undefined) {
      headers['Content-Type'] = 'application/json';
    }
    const request = {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MILLIS),
    };
    try {
      const response = await fetch(new URL(path, ROOT), request);
      if (!response.ok) {
        throw await refusal(response);
      }
      return await response.json();
    } catch (failure) {
      throw failure instanceof Refused ? failure : new Unanswered(String(failure?.message ?? failure));
    }
  }
}

async function refusal(response) {
  const shape = await response.json().catch(() => ({}));
  const problems = Array.isArray(shape?.problems) ? shape.problems : [];
  return new Refused(
      response.status, String(shape?.title ?? `HTTP ${response.status}`), String(shape?.detail ?? ''), problems);
}
