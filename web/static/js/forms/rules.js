// Forms to choose rules: a new match, and the settings of the running one.

import { begun } from '../lib/begun.js';
import { ask, because, choice, complain, field, options, problem, show, submit } from '../dialogs/dialog.js';
import { diagram, start } from '../board/diagram.js';
import { offerNames } from './names.js';
import { h } from '../lib/dom.js';
import { SIDES, nameOf } from '../board/seats.js';
import { sameNames, untouched } from '../table/say.js';
import { language, t, translated } from '../lib/words.js';

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

/** A switch's control, empty while it has the value `holds`. */
function switchField(one, holds) {
  const { name, values } = one;
  const control = values
    ? options(name, values.map((value) => [value === holds ? '' : value, valueText(one, value)]))
    : h('input', { name, inputmode: 'numeric', pattern: '[0-9]*', maxlength: 4, placeholder: String(holds), autocomplete: 'off' });
  return field(translated(one, 'label'), control);
}

/** A control for each switch, empty while it has the value that it has in `standing`. */
function switches(list, standing) {
  return h('div', { class: 'two switches' }, list.map((one) => switchField(one, standing[one.name])));
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

/** The rules in a line: the switches that differ from those of the first profile, and always the aids. */
function summary(house, chosen) {
  const first = house.profiles[0]?.settings ?? {};
  const named = house.switches.filter(({ name }) => name === 'aids' || chosen[name] !== first[name]);
  return named.map((one) => `${translated(one, 'label')}: ${valueText(one, chosen[one.name])}`).join(' · ');
}

/**
 * The overrides that a new match by these rules begins with: the house's usual ones, and those of the match before if
 * it was played by the same rules.
 */
function kept(house, before, profile) {
  const { usual, now } = house;
  const found = profile === usual.profile ? { ...usual.overrides } : {};
  if (!now || before?.profile !== profile) return found;
  const standing = { ...settingsOf(house, profile), ...found };
  for (const [name, value] of Object.entries(now)) if (value !== standing[name]) found[name] = value;
  return found;
}

const profileOf = (house, profile) => house.profiles.find((one) => one.name === profile) ?? {};
const settingsOf = (house, profile) => profileOf(house, profile).settings ?? {};

/** The words of a game's players, a line for each of their languages: which one, then each word and what it means. */
function playersWords(words = []) {
  const named = new Intl.DisplayNames([language], { type: 'language' });
  return [...new Set(words.map(({ lang }) => lang))].map((lang) => h('p', { class: 'hint' },
    h('b', {}, named.of(lang)), ' ', words.filter((one) => one.lang === lang).flatMap(({ word, means }, n) =>
      [n ? ', ' : '', h('i', { lang }, word), ` (${means})`])));
}

/** Warning that a new match ends the unfinished one; "" if there is none, or nothing has happened in it. */
function unfinished(state) {
  if (!state.match || ['no_match', 'match_over'].includes(state.phase) || untouched(state)) return '';
  const [south, north] = SIDES.map((side) => ({ name: nameOf(state, side), points: state.match.score[side] }));
  const values = { south: south.name, north: north.name, score: `${south.points}-${north.points}` };
  return t('{south} against {north} is not over; the score is {score}. The record keeps it; it can be continued from the list of matches.', values);
}

const PARTNERS = [3, 4, 5, 6, 7, 8].map((n) => `player-${n}`);
const SEATS = () => [t('South (nearer the camera’s bottom)'), t('North (across)')];

const same = (a, b) => Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);

// The switches would open below the lower edge.
const unfolded = ({ target }) => target.open && target.scrollIntoView({ block: 'start' });

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
  const clock = house.switches.find(({ name }) => name === 'clock'); // in sight: it may be kept from the match before
  const timed = h('div', {});
  const about = h('p', { id: 'about-rules' });
  const spoken = h('div', { id: 'players-words' });
  const line = h('p', { class: 'hint', id: 'rules-line' });
  const cup = h('p', { class: 'hint', id: 'cup' }, t('The dice are always thrown from a cup.'));
  const base = () => kept(house, before, form.elements.profile.value);
  const sum = () => {
    const standing = { ...settingsOf(house, form.elements.profile.value), ...base() };
    const chosen = { ...standing, ...overrides(house.switches, new FormData(form)) };
    fit(chosen);
    line.textContent = summary(house, chosen);
    cup.hidden = !['void', 'director_decides'].includes(chosen.thrown_by_hand);
  };
  // what belongs to the cube is offered only in a game with one
  const fit = (chosen) => {
    for (const { name } of house.switches.filter((one) => one.of_cube)) {
      const control = more.querySelector(`[name="${name}"]`);
      if (control) control.closest('label').hidden = !chosen.cube;
    }
  };
  const drawBoards = (chosen) => {
    const lies = profileOf(house, form.elements.profile.value).start ?? start();
    for (const place of form.querySelectorAll('.boards svg')) {
      const [home, south] = place.closest('label').querySelector('input').value.split(' ');
      place.replaceWith(diagram(lies, { home, south, cube: Boolean(chosen.cube) }));
    }
  };
  const redo = () => {
    const standing = { ...settingsOf(house, form.elements.profile.value), ...base() };
    more.replaceChildren(switches(house.switches.filter((one) => one !== clock), standing));
    if (clock) timed.replaceChildren(switchField(clock, standing.clock));
    drawBoards(standing);
    about.textContent = translated(profileOf(house, form.elements.profile.value), 'about');
    spoken.replaceChildren(...playersWords(profileOf(house, form.elements.profile.value).words));
    sum();
  };
  // a player named after his seat has given no name yet; typing replaces a name that is there
  const seats = ['South', 'North', t('South'), t('North')];
  const seat = (side, called, label) => field(label, h('input', {
    name: side, maxlength: 40, value: seats.includes(players[side]) ? '' : players[side], placeholder: called, autocomplete: 'off',
    onfocus: (event) => setTimeout(() => event.target.select()), // after the tap has set the caret
  }));
  const many = h('div', { class: 'two', id: 'partners', hidden: true }, PARTNERS.map((name, n) =>
    field(t('Player {n}', { n: n + 3 }), h('input', { name, maxlength: 40, autocomplete: 'off' }))));
  const isChouette = () => form.elements.chouette.checked;
  // as many fields for partners as have a name, and one more; without points, clock and seats of their own
  const gather = () => {
    const wanted = isChouette();
    const filled = PARTNERS.findLastIndex((name) => form.elements[name].value.trim());
    PARTNERS.forEach((name, n) => { form.elements[name].closest('label').hidden = n > filled + 1; });
    many.hidden = !wanted;
    form.querySelector('#points').hidden = timed.hidden = wanted;
    fitting.hidden = !wanted;
    narrow(wanted);
    SIDES.forEach((side, n) => { form.elements[side].closest('label').firstChild.textContent = wanted ? [t('Box'), t('Captain')][n] : SEATS()[n]; });
  };
  const fitting = h('p', { class: 'hint', id: 'fitting-rules', hidden: true }, t('With a cube only: each partner has one.'));
  // every partner of a chouette has a cube, so that games without one are not offered
  const narrow = (wanted) => {
    const { profile: select } = form.elements;
    const fits = (one) => !wanted || one.settings?.cube !== false;
    const offers = house.profiles.filter(fits);
    if (offers.length === 0 || offers.length === select.options.length) return;
    const chosen = select.value;
    select.replaceChildren(...offers.map((one) => h('option', { value: one.name }, translated(one, 'title'))));
    select.value = offers.some(({ name }) => name === chosen) ? chosen : offers[0].name;
    if (select.value !== chosen) redo();
  };
  const lengths = [...new Set([...LENGTHS, length])].filter(Boolean).sort((a, b) => a - b);
  const form = h(
    'form',
    { class: 'new-match' },
    h('div', { class: 'two' }, SIDES.map((side, n) => seat(side, [t('South'), t('North')][n], SEATS()[n]))),
    many,
    h('label', { class: 'tick' }, h('input', { type: 'checkbox', name: 'chouette' }), ' ', t('Chouette: three to eight players, one against all others')),
    h(
      'fieldset',
      { id: 'points' },
      h('legend', {}, t('Points')),
      h('div', { class: 'choices' }, lengths.map((n) => choice('length', n, n === length, String(n))), choice('length', 0, length === 0, t('Money'))),
    ),
    h(
      'fieldset',
      {},
      h('legend', {}, t('How the board is set up, seen from South')),
      h(
        'div',
        { class: 'choices boards' },
        [['right', 'light'], ['left', 'light'], ['right', 'dark'], ['left', 'dark']].map(([home, south]) =>
          choice('lies', `${home} ${south}`, home === orientation.home && south === orientation.south, diagram(start(), { home, south }),
            h('span', {}, home === 'right' ? t('home right') : t('home left'), ', ', south === 'light' ? t('light') : t('dark'))),
        ),
      ),
    ),
    h('div', { class: 'two switches' }, field(t('Rules'), options('profile', profiles(house, profile), profile)), timed),
    fitting,
    about,
    spoken,
    line,
    cup,
    house.switches.length ? h('details', { id: 'more-rules', ontoggle: unfolded }, h('summary', {}, t('House rules')), more) : null,
    h('div', { class: 'send' }, problem(), h('div', { id: 'start' }, h('button', { type: 'submit', class: 'primary', id: 'start-match' }, t('Start')))),
  );
  form.elements.profile.addEventListener('change', redo);
  const wanted = () => {
    const given = new FormData(form);
    const [home, south] = given.get('lies').split(' ');
    const chosen = { ...base(), ...overrides(house.switches, given) };
    const usually = given.get('profile') === usual.profile ? usual.overrides : {};
    return {
      type: 'new_match',
      ...(isChouette() ? { chouette: [...SIDES, ...PARTNERS].map((name) => given.get(name).trim()).filter(Boolean) } : {
        length: Number(given.get('length')),
        players: { south: given.get('south').trim(), north: given.get('north').trim() },
      }),
      profile: given.get('profile'),
      orientation: { home, south },
      ...(same(chosen, usually ?? {}) ? {} : { overrides: chosen }),
    };
  };
  const begin = async () => {
    if (await submit(form, desk, wanted())) draft = null;
  };
  // The form is checked before it asks to leave a match: what would refuse it is said first.
  const hasFault = async () => {
    const named = isChouette() ? '' : sameNames(...SIDES.map((side) => form.elements[side].value));
    const answer = named ? null : await desk.act({ ...wanted(), dry_run: true }, { quiet: true });
    complain(form, named || (answer.ok ? '' : translated(answer, 'detail')));
    return Boolean(named) || !answer.ok;
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const place = form.querySelector('#start');
    if (place.querySelector('.offer') || await hasFault()) return;
    const left = unfinished(desk.laid());
    if (left) ask(place, left, t('Start anyway'), begin);
    else begin();
  });
  offerNames(form, [...SIDES, ...PARTNERS]);
  form.addEventListener('input', () => {
    sum();
    gather();
    draft = { about: before?.id ?? '', given: Object.fromEntries(new FormData(form)) };
  });
  const given = draft?.about === (before?.id ?? '') ? draft.given : {};
  if (given.profile) form.elements.profile.value = given.profile;
  redo();
  for (const [name, value] of Object.entries(given)) {
    const control = form.elements.namedItem(name); // because elements.length is the number of controls
    if (control?.type === 'checkbox') control.checked = true;
    else if (control) control.value = value;
  }
  sum();
  gather();
  show(t('New match'), form);
}

/** The form for the settings that a director may change during a match. */
export async function settings(desk) {
  const house = await offered();
  const form = h(
    'form',
    {},
    switches(house.switches, house.now || {}),
    because(),
    h('div', { class: 'send' }, problem(), h('button', { type: 'submit', class: 'primary' }, t('Change'))),
  );
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    const given = new FormData(form);
    submit(form, desk, { type: 'settings', overrides: overrides(house.switches, given), why: given.get('why').trim() });
  });
  show(t('Settings of this match'), form);
}
