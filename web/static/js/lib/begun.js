// What was begun here and the table does not know of yet: a page that is loaded anew, in another language for
// instance, goes on with it. It lasts as long as the tab.

const KEY = 'begun';
const tellers = {};

function take() {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return JSON.parse(text) || {};
  } catch {
    return {}; // a browser that keeps nothing: then what was begun is begun again
  }
}

const left = take();

/** What the page before this one had begun under this name, null where there is nothing; `tell` says what this one has. */
export function begun(name, tell) {
  tellers[name] = tell;
  return left[name] ?? null;
}

window.addEventListener('pagehide', () => {
  const now = Object.fromEntries(Object.entries(tellers).map(([name, tell]) => [name, tell()]));
  try {
    sessionStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // as above
  }
});
