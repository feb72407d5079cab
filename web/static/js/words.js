// Words in the page's language. The English text is the key; the catalogue comes with the page.

const element = document.getElementById('words');
const catalogue = element ? JSON.parse(element.textContent) : {};

const bare = (text) => text.replace(/\{\w+\}/g, '');

// The one that says most comes first: a shorter one would take the rest of the sentence for one of its parts.
const patterns = Object.entries(catalogue)
  .filter(([text]) => text.includes('{') && bare(text).replace(/[^a-z]/gi, '').length > 3)
  .sort(([one], [other]) => bare(other).length - bare(one).length)
  .map(([text, said]) => [pattern(text), text.match(/\{\w+\}/g), said]);
const heard = new Map();

function pattern(text) {
  const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.*?)')}$`, 's');
}

/** A sentence that came from the table in English, in the page's language; as it came where it is not known. */
export function told(sentence) {
  if (!heard.has(sentence)) heard.set(sentence, translated(sentence));
  return heard.get(sentence);
}

function translated(sentence) {
  if (!sentence || catalogue[sentence]) return catalogue[sentence] || sentence;
  const fitting = patterns.map(([form, names, said]) => ({ found: form.exec(sentence)?.slice(1), names, said })).filter(({ found }) => found);
  const { found, names, said } = fitting.find((one) => one.found.every(known)) ?? fitting[0] ?? {};
  if (!found) return inParts(sentence) || begun(sentence);
  const values = Object.fromEntries(names.map((name, n) => [name, told(found[n])]));
  return said.replace(/\{\w+\}/g, (name) => values[name] ?? name);
}

/** Whether a part is in the catalogue by itself: then the sentence was put together just so. */
const known = (part) => part.split(', ').every((one) => catalogue[one]);

// Two sentences that were put together, or a list of reasons: each is known by itself.
function inParts(sentence) {
  const sentences = sentence.replace(/([.?!]) (?=[A-Z])/g, '$1\n').split('\n');
  if (sentences.length > 1) return sentences.map(told).join(' ');
  const list = sentence.split(', ');
  const said = list.length > 1 ? list.map(told) : [];
  return said.length && said.every((one, n) => catalogue[list[n]] || one !== list[n]) ? said.join(', ') : '';
}

// A sentence that goes on behind a colon begins with a small letter there.
function begun(sentence) {
  const large = sentence[0].toUpperCase() + sentence.slice(1);
  if (large === sentence) return sentence;
  const said = told(large);
  return said === large ? sentence : said;
}

export const language = document.documentElement.lang || 'en';

/** The text in the page's language, with {name}s filled in. */
export function t(text, values = {}) {
  const said = catalogue[text] || text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
