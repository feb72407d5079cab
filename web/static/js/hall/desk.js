// The desk: a line for each table, those first that need a person.

import { h, redraw } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { follow, matchText, needs, urgency } from './tables.js';

const place = document.getElementById('tables');

const CAMERAS = { live: () => t('camera in use'), recorded: () => t('recorded throws'), lost: () => t('camera lost'), none: () => t('no camera') };

/** What a table plays with: the program's version, its rules, its camera; what it has not told is left out. */
function aboutText({ version, profile, camera }) {
  const said = [t('Version {version}', { version }), profile && t('rules {name}', { name: profile }), CAMERAS[camera]?.()];
  return said.filter(Boolean).join(' · ');
}

function line({ table, wanted }) {
  const { state, held, fault, about } = table;
  const match = state?.match;
  return h(
    'section',
    { class: `line${wanted.length ? ' needy' : ''}`, 'aria-label': table.table },
    h('h2', {}, h('a', { href: `/t/${encodeURIComponent(table.table)}` }, table.table)),
    h('div', { class: 'needs' }, wanted.map((why) => h('b', { class: 'need' }, why))),
    h('div', { class: 'who' }, match ? `${match.players.south} – ${match.players.north}  ${match.score.south}–${match.score.north}` : ''),
    h('div', { class: 'what' }, state ? matchText(state) : ''),
    match ? h('a', { class: 'rule', href: `/desk/${encodeURIComponent(table.table)}` }, t('Answer or rule')) : null,
    about?.address ? h('a', { class: 'rule', href: `/desk/${encodeURIComponent(table.table)}/page`, target: '_blank', rel: 'noopener' }, t('Open the table’s own page')) : null,
    table.picture && state?.wanted.some((why) => ['director', 'dispute'].includes(why))
      ? h('a', { class: 'seen', href: `/desk/${encodeURIComponent(table.table)}` }, h('img', { src: table.picture, alt: t('as the camera saw it') }))
      : null,
    h('div', { class: 'held' }, fault || (held.match ? t('{match}: events held: {n}', { match: held.match, n: held.number }) : t('nothing held yet'))),
    about ? h('div', { class: 'about' }, aboutText(about)) : null,
  );
}

const TROUBLES = {
  broker: () => t('The hub does not reach its broker. The tables play on, and send later.'),
  record: () => t('The hub cannot write the hall’s record. The tables play on, and send again later.'),
};

function tell(id, text) {
  const shown = document.getElementById(id);
  if (shown.textContent !== text) shown.textContent = text;
  shown.hidden = !text;
}

/** What keeps results and calls from what runs the event, and what keeps the hub from its work; nothing while all is well. */
function showOutages({ webhook: outage, trouble }) {
  tell('webhook', outage ? t('{host} does not take the results ({why}). Waiting: {n}; they are sent again by themselves.', { host: outage.host, why: outage.why, n: outage.waiting }) : '');
  tell('trouble', TROUBLES[trouble]?.() ?? '');
}

follow((hall, now) => {
  showOutages(hall);
  const lines = hall.tables.map((table) => ({ table, wanted: needs(table, now), urgent: urgency(table, now) }));
  // stable: then in the order of their names
  lines.sort((one, other) => one.urgent - other.urgent || other.wanted.length - one.wanted.length);
  redraw(place, lines, () => lines.map(line));
});
