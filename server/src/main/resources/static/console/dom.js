/**
 * Building the page. Text goes in as text only: nothing here, or anywhere in the console, parses HTML.
 */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * An HTML element. `on…` properties are listeners, `text` is its text, `true` sets a bare attribute, `false`, `null` and
 * `undefined` set none, anything else is an attribute.
 *
 * @param {string} tag
 * @param {Object<string, unknown>} [properties]
 * @param {...(Node|string|null|undefined)} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (name === 'text') {
      element.textContent = value;
    } else {
      attribute(element, name, value);
    }
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/** Sets or removes an attribute, and leaves it alone when it is so already. */
export function attribute(element, name, value) {
  if (value === false || value === null || value === undefined) {
    element.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (element.getAttribute(name) !== text) {
    element.setAttribute(name, text);
  }
}

/** Sets the text, and leaves it alone when it is so already: a selection stays, a screen reader keeps quiet. */
export function text(element, value) {
  if (element.textContent !== value) {
    element.textContent = value;
  }
}

/** Text that somebody outside wrote, kept from turning the direction of the text around it. */
export function foreign(value, properties = {}) {
  return h('bdi', {...properties, text: String(value)});
}

/**
 * Runs the builder only when what it shows has changed.
 *
 * @returns {(shown: unknown, build: () => (Node|string)[]) => void}
 */
export function rebuilder(element) {
  let last = null;
  return (shown, build) => {
    const signature = JSON.stringify(shown);
    if (signature !== last) {
      last = signature;
      element.replaceChildren(...build());
    }
  };
}

const ICONS = {
  draft: ['M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18', 'M12 8v4l2.5 2.5'],
  ramping: ['M3 17l6-6 4 4 8-9', 'M15 6h6v6'],
  paused: ['M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18', 'M10 9v6', 'M14 9v6'],
  completed: ['M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18', 'M8 12.5l3 3 5.5-6.5'],
  aborted: ['M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3z', 'M9 9l6 6', 'M15 9l-6 6'],
  healthy: ['M5 12.5l4.5 4.5L19 7'],
  failed: ['M6 6l12 12', 'M18 6L6 18'],
  hold: ['M7 3h10', 'M7 21h10', 'M8 3c0 5 8 7 8 12v6', 'M16 3c0 5-8 7-8 12v6'],
  breach: ['M12 4L2.5 20h19z', 'M12 10v4.5', 'M12 17.3v.2'],
  start: ['M7 4.5l12 7.5-12 7.5z'],
  pause: ['M8 5v14', 'M16 5v14'],
  resume: ['M5 5v14', 'M10 5l10 7-10 7z'],
  promote: ['M5 12l7-7 7 7', 'M5 19l7-7 7 7'],
  back: ['M9 5l-6 6 6 6', 'M3 11h11a6 6 0 0 1 0 12h-1'],
  abort: ['M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3z', 'M8 12h8'],
  restoring: ['M9 5l-6 6 6 6', 'M3 11h11a6 6 0 0 1 0 12h-1'],
  gate: ['M5 3v18', 'M19 3v18', 'M5 8h14', 'M5 13h14', 'M12 8v10'],
  unregistered: ['M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18', 'M5.7 5.7l12.6 12.6'],
  offline: ['M3 3l18 18', 'M5 12.5a10 10 0 0 1 4-2.3', 'M19 12.5a10 10 0 0 0-5-2.5', 'M8.5 16a5 5 0 0 1 7 0', 'M12 19.5v.2'],
};

/** A drawing beside a word; never alone, so it is hidden from screen readers. */
export function icon(name) {
  const paths = (ICONS[name] ?? []).map(d => svg('path', {d}));
  return svg('svg', {class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false'}, ...paths);
}
