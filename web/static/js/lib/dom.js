// Helpers that build the page's elements.

const SVG = 'http://www.w3.org/2000/svg';

function put(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An HTML element: h('button', {class: 'big', onclick: act}, 'Done'). */
export function h(tag, attributes, ...children) {
  return put(document.createElement(tag), attributes, children);
}

/** A sentence as children of an element; a roll in it, as 6-4, is not broken after its hyphen at the end of a line. */
export function unbroken(text) {
  return text.split(/(\d-\d)/).map((part, n) => (n % 2 ? h('span', { class: 'unbroken' }, part) : part));
}

/** An SVG element, with the same arguments. */
export function s(tag, attributes, ...children) {
  return put(document.createElementNS(SVG, tag), attributes, children);
}

const drawn = new WeakMap();

/**
 * Rebuild a region if its content has changed, and else leave it, so that focus and scroll stay.
 * `shown` is any JSON value that determines the content; `build` gives the children.
 */
export function redraw(region, shown, build) {
  const key = JSON.stringify(shown);
  if (drawn.get(region) === key) return false;
  drawn.set(region, key);
  const focused = region.contains(document.activeElement) ? document.activeElement.id : '';
  region.replaceChildren(...[build()].flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  return true;
}

/** Forget a region's content, so that the next redraw rebuilds it. */
export function forget(region) {
  drawn.delete(region);
}

const ICONS = new URL('../../icons.svg', import.meta.url).pathname;

/** An icon from the sprite. */
export function icon(name) {
  return s('svg', { class: 'icon', 'aria-hidden': 'true' }, s('use', { href: `${ICONS}#${name}` }));
}
