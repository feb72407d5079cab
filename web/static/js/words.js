// Words in the page's language. The English text is the key; the catalogue comes with the page.

const element = document.getElementById('words');
const catalogue = element ? JSON.parse(element.textContent) : {};

const patterns = Object.entries(catalogue)
  .filter(([text]) => text.includes('{') && text.replace(/\{\w+\}|[^a-z]/gi, '').length > 4)
  .map(([text, said]) => [pattern(text), text.match(/\{\w+\}/g), said]);
const heard = new Map();

function pattern(text) {
  const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+?)')}$`);
}

/** A sentence that came from the table in English, in the page's language; as it came where it is not known. */
export function told(sentence) {
  if (!heard.has(sentence)) heard.set(sentence, translated(sentence));
  return heard.get(sentence);
}

function translated(sentence) {
  if (!sentence || catalogue[sentence]) return catalogue[sentence] || sentence;
  for (const [form, names, said] of patterns) {
    const found = form.exec(sentence);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, n) => [name, told(found[n + 1])]));
    return said.replace(/\{\w+\}/g, (name) => values[name] ?? name);
  }
  return sentence;
}

export const language = document.documentElement.lang || 'en';

/** The text in the page's language, with {name}s filled in. */
export function t(text, values = {}) {
  const said = catalogue[text] || text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
