// Words in the page's language. The English text is the key; the catalogue comes with the page.

const element = document.getElementById('words');
const catalogue = element ? JSON.parse(element.textContent) : {};

export const language = document.documentElement.lang || 'en';

/** The text in the page's language, with {name}s filled in. */
export function t(text, values = {}) {
  const said = catalogue[text] || text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
