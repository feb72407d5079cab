// Forms to choose rules: a new match, and the settings of the running one.

import { begun } from '../lib/begun.js';
import { ask, choice, field, options, problem, show, submit } from './dialog.js';
import { diagram, start } from '../board/diagram.js';
import { h } from '../lib/dom.js';
import { SIDES, nameOf } from '../board/seats.js';
import { t, translated } from '../lib/words.js';

// A form closed before it was sent, {about, given}: reopened, it is restored while the same match is on the table.
let draft = begun('match', () => draft);

const LENGTHS = [1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25];

/** A switch's value in words: the table's label for it, or the number itself. */
function valueText(one, value) {
  const { values, labels } = one;
  return labels ? translated(one, 'labels')[values.indexOf(value)] : String(value);
}

/** The rules to choose from: {profiles, switches, usual, now}; empty if the table gives none. */
async function offered() {
  const answer = await fetch('/api/rules', { cache: 'no-store' }).catch(() => null);
  return answer?.ok ? answer.json() : { profiles: [], switches: [], usual: {}, now: null };
}

/** Profiles by name and title, in the page's language; only the one in use if the table gives none. */
function profiles(house, used) {
  const offers = house.profiles.length ? house.profiles : [{ name: used, title: used }];
  return offers.map((one) => [one.name, translated(one, 'title')]);
}

/** A control for each switch, empty unless chosen; `standing` has the present values. */
function switches(list, standing) {
  return h('div', { class: 'two switches' }, list.map((one) => {
    const { name, values } = one;
    const holds = standing[name];
    const asItIs = t('as it is: {value}', { value: valueText(one, holds) });
    const control = values
      ? options(name, [['', asItIs], ...values.filter((value) => value !== holds).map((value) => [value, valueText(one, value)])])
      : h('input', { name, inputmode: 'numeric', pattern: '[0-9]*', maxlength: 4, placeholder: String(holds), autocomplete: 'off' });
    return field(translated(one, 'label'), control);
  }));
}

/** The chosen switches in the shape of an action. */
function overrides(list, given) {
  const chosen = {};
  for (const { name, values } of list) {
    const text = given.get(name);
    if (text) chosen[name] = values ? values.find((value) => String(value) === text) : Number(text);
  }
  return chosen;
}

/** Warning that a new match ends the unfinished one; "" if there is none. */
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
  const orientation = before ? state.orientation : usual.orientation || state.orientation;
  const players = before?.players ?? usual.players ?? {};
  const more = h('div', {});
  const rules = () => house.profiles.find((one) => one.name === form.elements.profile.value)?.settings;
  const redo = () => {
    const standing = { ...rules(), ...(form.elements.profile.value === usual.profile ? usual.overrides : {}) };
    more.replaceChildren(switches(house.switches, standing));
  };
  // a player named after his seat has given no name yet; typing replaces a name that is there
  const seats = ['South', 'North', t('South'), t('North')];
  const seat = (side, called, label) => field(label, h('input', {
    name: side, maxlength: 40, value: seats.includes(players[side]) ? '' : players[side], placeholder: called, autocomplete: 'off',
    onfocus: (event) => setTimeout(() => event.target.select()), // after the tap has set the caret
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
          choice('lies', `${home} ${south}`, home === orientation.home && south === orientation.south, diagram(start(), { home, south }),
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
    const control = form.elements.namedItem(name); // because elements.length is the number of controls
    if (control) control.value = value;
  }
  show(t('New match'), form);
}

/** The form for the settings that a director may change during a match. */
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
