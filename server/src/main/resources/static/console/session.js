/**
 * Who is signed in here, and what the address asks for. The token lives as long as the tab.
 */

const KEY = 'sluice.token';

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
 * @returns {{token: string, release: string, channels: boolean}} what the address says, empty where it says nothing
 */
export function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const found = asked.get('token') ?? '';
  const release = asked.get('release') ?? '';
  const channels = asked.has('channels');
  if (asked.has('token')) {
    channels ? showChannels() : showRelease(release);
  }
  if (found) {
    keep(found);
  }
  return {token: found, release, channels};
}

/** Names the release in the address, so that it can be sent to somebody. */
export function showRelease(id) {
  showHash(id ? `#release=${encodeURIComponent(id)}` : '');
}

/** The same for the page of all channels. */
export function showChannels() {
  showHash('#channels');
}

function showHash(hash) {
  history.replaceState(null, '', location.pathname + location.search + hash);
}
