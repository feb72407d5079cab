// The forms in which rules are chosen: a new match, and the settings of the running one.

import { begun } from '../lib/begun.js';
import { ask, choice, field, options, problem, show, submit } from './dialog.js';
import { diagram, start } from '../board/diagram.js';
import { h } from '../lib/dom.js';
import { SIDES, nameOf } from '../board/seats.js';
import { t, told } from '../lib/words.js';

// A form that was closed before it was sent, {about, given}: opened again, it goes on while the same match stands there.
let draft = begun('match', () => draft);

const LENGTHS = [1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25];

/** A switch's value in words: as the table labels it, or the number itself. */
function said(one, value) {
  const { values, labels } = one;
  return labels ? told(one, 'labels')[values.indexOf(value)] : String(value);
}

/** What the house offers: {profiles, switches, usual, now}; with nothing in it where the table does not say. */
async function offered() {
  const answer = await fetch('/api/rules', { cache: 'no-store' }).catch(() => null);
  return answer?.ok ? answer.json() : { profiles: [], switches: [], usual: {}, now: null };
}

/** The rules by name and title, in the page's language; the ones in use alone where the table does not say. */
function profiles(house, used) {
  const offers = house.profiles.length ? house.profiles : [{ name: used, title: used }];
  return offers.map((one) => [one.name, told(one, 'title')]);
}

/** A control for each switch, left as it is unless somebody chooses; `standing` are the values that hold so far. */
function switches(list, standing) {
  return h('div', { class: 'two switches' }, list.map((one) => {
    const { name, values } = one;
    const holds = standing[name];
    const asItIs = t('as it is: {value}', { value: said(one, holds) });
    const control = values
      ? options(name, [['', asItIs], ...values.filter((value) => value !== holds).map((value) => [value, said(one, value)])])
      : h('input', { name, inputmode: 'numeric', pattern: '[0-9]*', maxlength: 4, placeholder: String(holds), autocomplete: 'off' });
    return field(told(one, 'label'), control);
  }));
}

/** The switches that were chosen, as the table wants them. */
function overrides(list, given) {
  const chosen = {};
  for (const { name, values } of list) {
    const text = given.get(name);
    if (text) chosen[name] = values ? values.find((value) => String(value) === text) : Number(text);
  }
  return chosen;
}

/** What becomes of a match that is still being played when another begins; "" where there is none. */
function unfinished(state) {
  if (!state.match || ['no_match', 'match_over'].includes(state.phase)) return '';
  const [south, north] = SIDES.map((side) => ({ name: nameOf(state, side), points: state.match.score[side] }));
  const values = { south: south.name, north: north.name, score: `${south.points}-${north.points}` };
  return t('{south} against {north} is not over; it stands at {score}. It is kept as it is, and cannot be played on.', values);
}

/** The form for a new match. */
export async function newMatch(state, desk) {
  const house = await offered();
  const { usual } = house;
  const before = state.match;
  const length = before?.length ?? usual.length ?? 7;
  const profile = before?.profile ?? usual.profile ?? 'modern';
  const lies = before ? state.orientation : usual.orientation || state.orientation;
  const players = before?.players ?? usual.players ?? {};
  const more = h('div', {});
  const rules = () => house.profiles.find((one) => one.name === form.elements.profile.value)?.settings;
  const redo = () => {
    const standing = { ...rules(), ...(form.elements.profile.value === usual.profile ? usual.overrides : {}) };
    more.replaceChildren(switches(house.switches, standing));
  };
  // who is called by his seat has not said his name yet; a name that stands there is replaced by typing
  const seats = ['South', 'North', t('South'), t('North')];
  const seat = (side, called, label) => field(label, h('input', {
    name: side, maxlength: 40, value: seats.includes(players[side]) ? '' : players[side], placeholder: called, autocomplete: 'off',
    onfocus: (event) => setTimeout(() => event.target.select()), // behind the tap, which puts the caret where it hit
  }));
  const lengths = [...new Set([...LENGTHS, length])].filter(Boolean).sort((a, b) => a - b);
  const form = h(
    'form',
    { class: 'new-match' },
    h('div', { class: 'two' }, seat('south', t('South'), t('South (nearer the camera’s bottom)')), seat('north', t('North'), t('North (across)'))),
    h(
      'fieldset',
      {},
      h('legend', {}, t('Points')),
      h('div', { class: 'choices' }, lengths.map((n) => choice('length', n, n === length, String(n))), choice('length', 0, length === 0, t('Money'))),
    ),
    field(t('Rules'), options('profile', profiles(house, profile), profile)),
    h(
      'fieldset',
      {},
      h('legend', {}, t('How the board lies, seen from South')),
      h(
        'div',
        { class: 'choices boards' },
        [['right', 'light'], ['left', 'light'], ['right', 'dark'], ['left', 'dark']].map(([home, south]) =>
          choice('lies', `${home} ${south}`, home === lies.home && south === lies.south, diagram(start(), { home, south }),
            h('span', {}, home === 'right' ? t('home right') : t('home left'), ', ', south === 'light' ? t('light') : t('dark'))),
        ),
      ),
    ),
    house.switches.length ? h('details', { id: 'more-rules' }, h('summary', {}, t('Play some rules differently')), more) : null,
    problem(),
    h('div', { class: 'send', id: 'start' }, h('button', { type: 'submit', class: 'primary', id: 'start-match' }, t('Start'))),
  );
  form.elements.profile.addEventListener('change', redo);
  const begin = async () => {
    const given = new FormData(form);
    const [home, south] = given.get('lies').split(' ');
    const usually = given.get('profile') === usual.profile ? usual.overrides : {};
    const changed = overrides(house.switches, given);
    const done = await submit(form, desk, {
      type: 'new_match',
      length: Number(given.get('length')),
      players: { south: given.get('south').trim(), north: given.get('north').trim() },
      profile: given.get('profile'),
      orientation: { home, south },
      ...(Object.keys(changed).length ? { overrides: { ...usually, ...changed } } : {}),
    });
    if (done) draft = null;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const left = unfinished(desk.laid());
    const place = form.querySelector('#start');
    if (!left) begin();
    else if (!place.querySelector('.offer')) ask(place, left, t('Start all the same'), begin);
  });
  form.addEventListener('input', () => {
    draft = { about: before?.id ?? '', given: Object.fromEntries(new FormData(form)) };
  });
  const given = draft?.about === (before?.id ?? '') ? draft.given : {};
  if (given.profile) form.elements.profile.value = given.profile;
  redo();
  for (const [name, value] of Object.entries(given)) {
    const control = form.elements.namedItem(name); // elements.length is something else
    if (control) control.value = value;
  }
  show(t('New match'), form);
}

/** What a director may change in the middle of a match. */
export async function settings(desk) {
  const house = await offered();
  const form = h(
    'form',
    {},
    switches(house.switches, house.now || {}),
    problem(),
    h('div', { class: 'send' }, h('button', { type: 'submit', class: 'primary' }, t('Change'))),
  );
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    submit(form, desk, { type: 'settings', overrides: overrides(house.switches, new FormData(form)) });
  });
  show(t('Settings of this match'), form);
}
