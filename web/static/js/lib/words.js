// Words in the page's language. The English text is the key; the catalogue comes with the page.

const element = document.getElementById('words');
const catalogue = element ? JSON.parse(element.textContent) : {};

export const language = document.documentElement.lang || 'en';

const plurals = new Intl.PluralRules(language);
const { pluralCategories } = plurals.resolvedOptions();
const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'].filter((form) => pluralCategories.includes(form)); // gettext's order

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** The text in the page's language, with {name}s filled in. */
export const t = (text, values = {}) => filled(catalogue[text] || text, values);

/** The text for this number: `one` for one of it, else `others`, with {n}. */
export function tn(one, others, n, values = {}) {
  const forms = catalogue[one];
  const text = forms ? forms[FORMS.indexOf(plurals.select(n))] ?? forms.at(-1) : n === 1 ? one : others;
  return filled(text, { n, ...values });
}

/** What the table says in a field of an object, in the page's language: `say` has template and values (docs/PROTOCOL.md). */
export function told(object, field) {
  const said = object?.say?.[field];
  if (!said || language === 'en') return object?.[field] ?? '';
  return Array.isArray(said) ? said.map(worded) : worded(said);
}

function worded({ t: template, v = {}, others, n }) {
  const values = Object.fromEntries(Object.entries(v).map(([name, value]) => [name, inWords(value)]));
  return others ? tn(template, others, n, values) : t(template, values);
}

function inWords(value) {
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  return value instanceof Object ? worded(value) : String(value);
}
