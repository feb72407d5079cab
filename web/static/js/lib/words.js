// Translation into the page's language. The English text is the key; the catalogue comes with the page.

const element = document.getElementById('words');
const catalogue = element ? JSON.parse(element.textContent) : {};

export const language = document.documentElement.lang || 'en';

const plurals = new Intl.PluralRules(language);
const { pluralCategories } = plurals.resolvedOptions();
const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'].filter((form) => pluralCategories.includes(form)); // gettext's order

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** The text in the page's language, with {name}s filled in. */
export const t = (text, values = {}) => filled(catalogue[text] || text, values);

/** A number with so many decimals as the page's language writes it, 3,20 or 3.20; `signed` gives +3,20. */
export const decimal = (n, digits, signed = false) => new Intl.NumberFormat(language, {
  minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false, signDisplay: signed ? 'exceptZero' : 'auto',
}).format(n).replace('-', '−');

/** The text for a number n: `one` for 1, else `others`, with {n} filled in. */
export function tn(one, others, n, values = {}) {
  const forms = catalogue[one];
  const text = forms ? forms[FORMS.indexOf(plurals.select(n))] ?? forms.at(-1) : n === 1 ? one : others;
  return filled(text, { n, ...values });
}

/** The text in a field of an object, in the page's language; its `say` has template and values, a refusal's `said` the
 * wording (docs/PROTOCOL.md). */
export function translated(object, field) {
  if (object?.said && field === 'detail') return object.said;
  const sentence = object?.say?.[field];
  if (!sentence || language === 'en') return object?.[field] ?? '';
  return Array.isArray(sentence) ? sentence.map(worded) : worded(sentence);
}

function worded({ t: template, v = {}, others, n }) {
  const values = Object.fromEntries(Object.entries(v).map(([name, value]) => [name, inWords(value)]));
  return others ? tn(template, others, n, values) : t(template, values);
}

function inWords(value) {
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  return value instanceof Object ? worded(value) : String(value);
}
