/**
 * Numbers and times as people read them.
 */
import {language} from './i18n.js';

const NOTHING = '–';
const UNIT_MILLIS = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000};

/** A duration text of the API like `300ms` or `10m`; NaN when it is none. */
export function millisOf(durationText) {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(String(durationText));
  return match ? Number(match[1]) * UNIT_MILLIS[match[2]] : NaN;
}

/** An error rate of the API, `0.02` or `"2%"`, as a fraction. */
export function fractionOf(rate) {
  const text = String(rate);
  return text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
}

/** Hundredths of a whole, `25` is 25 %. */
export function percent(value, digits = 2) {
  if (!Number.isFinite(Number(value))) {
    return NOTHING;
  }
  const number = new Intl.NumberFormat(language(), {maximumFractionDigits: digits}).format(Number(value));
  return language() === 'zh' ? `${number}%` : `${number}\u00a0%`;
}

/** A fraction as a percentage, `0.02` is 2 %. */
export function rate(fraction) {
  return Number.isFinite(fraction) ? percent(fraction * 100, 2) : NOTHING;
}

export function count(value) {
  return Number.isFinite(value) ? new Intl.NumberFormat(language(), {maximumFractionDigits: 1}).format(value) : NOTHING;
}

/** Evidence: odds of which only the order of magnitude means anything. */
export function evidence(value) {
  if (!Number.isFinite(value)) {
    return NOTHING;
  }
  const number = digits => new Intl.NumberFormat(language(), digits);
  if (value > 1e6) {
    return '> 10⁶';
  }
  return value < 0.01 ? `< ${number({}).format(0.01)}` : number({maximumSignificantDigits: value < 1 ? 1 : 3}).format(value);
}

/** A number as another system gave it. */
export function plain(value) {
  return Number.isFinite(value) ? new Intl.NumberFormat(language(), {maximumSignificantDigits: 6}).format(value) : NOTHING;
}

export function millis(value) {
  return Number.isFinite(value) ? `${count(value)}\u00a0ms` : NOTHING;
}

/** A multiple, `4` is 4.0x: always with its tenth, so that it is read as measured. */
export function times(value) {
  const digits = {minimumFractionDigits: 1, maximumFractionDigits: 1};
  return Number.isFinite(Number(value)) ? `${new Intl.NumberFormat(language(), digits).format(Number(value))}x` : NOTHING;
}

/** A length of time in its two largest units. */
export function span(lengthMillis) {
  const seconds = Math.max(0, Math.round(lengthMillis / 1000));
  if (lengthMillis > 0 && lengthMillis < 1000) {
    return `${Math.round(lengthMillis)}\u00a0ms`;
  }
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first < 0) {
    return '0\u00a0s';
  }
  return parts
      .slice(first, first + 2)
      .filter(([value]) => value > 0)
      .map(([value, unit]) => `${value}\u00a0${unit}`)
      .join(' ');
}

/** The time of day, led by the day when it is not today's. */
export function clock(at) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) {
    return NOTHING;
  }
  const time = date.toLocaleTimeString(language(), {hour12: false});
  const today = date.toDateString() === new Date().toDateString();
  return today ? time : `${date.toLocaleDateString(language(), {month: 'short', day: 'numeric'})} ${time}`;
}
