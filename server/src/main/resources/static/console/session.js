/**
 * Who is signed in here, and what the address asks for. The token lives as long as the tab.
 */

const KEY = 'sluice.token';
const PAGES = ['channels', 'migrations'];

/** @returns {string} the token, or the empty string */
export function token() {
  return sessionStorage.getItem(KEY) ?? '';
}

export function keep(value) {
  sessionStorage.setItem(KEY, value);
}

export function forget() {
  sessionStorage.removeItem(KEY);
}

/**
 * Takes `#token=…` out of the address, so that it stays in no history or bookmark, and keeps it. `#release=…` stays.
 *
 * @returns {{token: string, release: string, page: 'release'|'channels'|'migrations'}} what the address says, empty where it says nothing
 */
export function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const found = asked.get('token') ?? '';
  const release = asked.get('release') ?? '';
  const page = PAGES.find(it => asked.has(it)) ?? 'release';
  if (asked.has('token')) {
    page === 'release' ? showRelease(release) : showPage(page);
  }
  if (found) {
    keep(found);
  }
  return {token: found, release, page};
}

/** Names the release in the address, so that it can be sent to somebody. */
export function showRelease(id) {
  showHash(id ? `#release=${encodeURIComponent(id)}` : '');
}

/** The same for a page of all: `channels` or `migrations`. */
export function showPage(page) {
  showHash(`#${page}`);
}

function showHash(hash) {
  history.replaceState(null, '', location.pathname + location.search + hash);
}
