// Preferences kept in this browser.

const KEY = 'board';
const { theme = 'auto', voice, seat = 'south' } = document.body.dataset; // the program's settings, a player's seat
const FIRST = { theme, bottom: seat, sound: voice === 'on' };

function read() {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(KEY) || '{}') };
  } catch {
    return { ...FIRST }; // a private window may refuse storage; the choices then last as long as the page
  }
}

export const prefs = read();

/** Store a preference. */
export function prefer(name, value) {
  prefs[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // as above
  }
}

/** Apply the theme: light, dark, or the device's. */
export function applyTheme() {
  const root = document.documentElement;
  if (prefs.theme === 'auto') root.removeAttribute('data-theme');
  else root.dataset.theme = prefs.theme;
}

/** Reload the page in another language. */
export function chooseLanguage(language) {
  document.cookie = `lang=${language}; path=/; max-age=34560000; samesite=lax`;
  location.reload();
}
