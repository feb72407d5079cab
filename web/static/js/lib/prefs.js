// What this browser remembers for itself.

const KEY = 'board';
const { theme = 'auto', voice } = document.body.dataset; // what the house has chosen
const FIRST = { theme, bottom: 'south', sound: voice === 'on' };

function read() {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(KEY) || '{}') };
  } catch {
    return { ...FIRST }; // a private window may refuse; then the choices last as long as the page
  }
}

export const prefs = read();

/** Keep a choice. */
export function prefer(name, value) {
  prefs[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // as above
  }
}

/** Show the page light or dark. */
export function dress() {
  const root = document.documentElement;
  if (prefs.theme === 'auto') root.removeAttribute('data-theme');
  else root.dataset.theme = prefs.theme;
}

/** Ask for the page in another language; it comes back at once. */
export function speak(language) {
  document.cookie = `lang=${language}; path=/; max-age=34560000; samesite=lax`;
  location.reload();
}
