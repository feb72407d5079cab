// The forms in which rules are chosen: a new match, and the settings of the running one.

import { begun } from './begun.js';
import { ask, choice, field, options, problem, show, submit } from './dialog.js';
import { diagram, start } from './diagram.js';
import { h } from './dom.js';
import { SIDES, nameOf } from './seats.js';
import { t } from './words.js';

// A form that was closed before it was sent, {about, given}: opened again, it goes on while the same match stands there.
let draft = begun('match', () => draft);

const LENGTHS = [1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25];

export const PROFILES = () => ({
  modern: t('Modern backgammon'),
  vip: t('VIP'),
  tournament: t('Tournament'),
  tavla: t('Tavla'),
  spielestart: t('Entry game (Spielestart)'),
  wbgf: t('WBGF tournament'),
  usbgf: t('USBGF tournament'),
  portes: t('Portes'),
  nackgammon: t('Nackgammon'),
  hypergammon: t('Hypergammon'),
});

const SWITCHES = () => ({
  aids: t('Aids (plays, pips)'),
  clock: t('Clock'),
  clock_delay_s: t('Delay, seconds'),
  clock_reserve_s_per_point: t('Reserve per point, seconds'),
  reserve_used_up: t('Reserve used up'),
  cube: t('Doubling cube'),
  crawford: t('Crawford game'),
  jacoby: t('Jacoby rule'),
  beaver: t('Beaver'),
  raccoon: t('Raccoon'),
  automatic_doubles: t('Automatic doubles'),
  cube_after_cocked: t('Cube after cocked dice'),
  gammon: t('Gammon counts two'),
  backgammon: t('Backgammon counts three'),
  roll_area: t('Dice count'),
  die_on_checker: t('Die flat on a checker'),
  premature_roll: t('Roll before the opponent has finished'),
  end_of_turn: t('A turn ends when'),
  closed_out: t('Who is closed out'),
  illegal_play_pointed_out_by: t('Illegal plays'),
  illegal_play_stands_after: t('An illegal play stands after'),
});

// By switch where the same word means different things.
const VALUES = () => ({
  true: t('yes'),
  false: t('no'),
  shown: t('shown'),
  withheld: t('withheld'),
  off: t('none'),
  simple_delay: t('delay 12 s, reserve by score'),
  match_lost: t('the match is lost'),
  director_decides: t('the director decides'),
  never: t('never'),
  money_play: t('in money play'),
  everywhere: t('always'),
  free: t('free'),
  locked: t('locked until the next roll'),
  on_bar: t('with a checker on the bar'),
  on_bar_or_in_home: t('on the bar or in the winner’s home'),
  right_half: t('in the roller’s right half'),
  whole_surface: t('on the whole board'),
  home_half: t('in the half of the home boards'),
  cocked: t('cocked'),
  valid: t('valid'),
  void: t('is void'),
  stands: t('stands'),
  opponent_chooses: t('the opponent chooses'),
  dice_picked_up: t('the dice are picked up'),
  clock_pressed: t('the button is pressed'),
  must_roll: t('rolls all the same'),
  need_not_roll: t('only presses the button'),
  nobody: t('the opponent may let them stand'),
  both: t('both have to point them out (legal moves)'),
  responsible: t('each answers for his own (responsible moves)'),
  valid_roll: t('the opponent’s roll'),
  valid_roll_or_double: t('the opponent’s roll or double'),
  play_completed: t('the opponent’s play'),
});

const said = (value) => VALUES()[value] ?? String(value);

/** What the house offers: {profiles, switches, usual, now}; with nothing in it where the table does not say. */
async function offered() {
  const answer = await fetch('/api/rules', { cache: 'no-store' }).catch(() => null);
  return answer?.ok ? answer.json() : { profiles: [], switches: [], usual: {}, now: null };
}

/** The rules by name; those of the house's own are called as the settings file calls them. */
function profiles(house) {
  const known = PROFILES();
  const names = house.profiles.length ? house.profiles.map((one) => one.name) : Object.keys(known);
  return names.map((name) => [name, known[name] || name]);
}

/** A control for each switch, left as it is unless somebody chooses; `standing` are the values that hold so far. */
function switches(list, standing) {
  const names = SWITCHES();
  return h('div', { class: 'two switches' }, list.filter((one) => names[one.name]).map(({ name, values }) => {
    const holds = standing[name];
    const asItIs = t('as it is: {value}', { value: said(holds) });
    const control = values
      ? options(name, [['', asItIs], ...values.filter((value) => value !== holds).map((value) => [value, said(value)])])
      : h('input', { name, inputmode: 'numeric', pattern: '[0-9]*', maxlength: 4, placeholder: String(holds), autocomplete: 'off' });
    return field(names[name], control);
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
    field(t('Rules'), options('profile', profiles(house), profile)),
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
