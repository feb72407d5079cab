// Unfinished input that the table does not know yet, kept for a reload of the page, in another language for instance.
// It lasts as long as the tab.

const KEY = 'begun';
const readers = {};

function take() {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return JSON.parse(text) || {};
  } catch {
    return {}; // a browser without storage: the input is lost with the page
  }
}

const left = take();

/** The input that the page before this one left under this name, or null; `read` gives this page's for the next one. */
export function begun(name, read) {
  readers[name] = read;
  return left[name] ?? null;
}

window.addEventListener('pagehide', () => {
  // what nobody has asked for belongs to a form that was not opened in this page
  const now = { ...left, ...Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read()])) };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // as above
  }
});
