// The buttons under the ruling: the actions that the table allows this visitor now.

import { diceRows, die, inOrder } from '../board/dice.js';
import { reseated, seated } from '../dialogs/rights.js';
import { h, icon, redraw } from '../lib/dom.js';
import { stranger } from '../lib/holder.js';
import { SIDES, carried, nameOf, other, pointName, toneOf } from '../board/seats.js';
import { doubleText, untouched, watched } from './say.js';
import { seen } from './seen.js';
import { offer, waiting } from './waiting.js';
import { t, translated } from '../lib/words.js';

const button = (id, kind, label, act, sign = null) =>
  h('button', { type: 'button', id, class: kind, onclick: act }, sign ? icon(sign) : null, label);

/**
 * Draw the buttons. `desk` has act(body), and the page's own actions: correcting ('roll', 'early' or ''),
 * startCorrecting(what), stopCorrecting(), free (the moves of a play entered without rules, or null), laid() (the state
 * before it), recordFree(), undoFree(), stopFree(), offer (a refused play that may be on the board all the same, or
 * null), enterOffered(), dropOffer(), newMatch(), resign(), typed(text), players (draws those of a chouette; null until
 * its script has come), claim() (the device is that of who sits at its seat).
 */
export function asks(region, state, desk) {
  const may = (type) => state.may.includes(type);
  const shown = [
    state.phase, state.may, state.roll, state.opening, watched(state), state.anew, state.ruling, state.asked, state.on_roll, state.dispute, state.throw, state.reason_text,
    state.cube, state.waiting, desk.correcting, desk.free, desk.offer, state.making?.complete, state.making?.moves.length, state.orientation, state.match?.players, state.owed, state.naming, untouched(state), state.undo_text, state.checkers?.question, state.checkers?.differs && state.checkers, state.offer,
    state.chouette, Boolean(desk.players), stranger(state),
  ];
  redraw(region, shown, () => {
    if (desk.correcting === 'early') return earlyRoll(state, desk);
    if (desk.correcting) return correction(state, desk);
    if (desk.free) return freely(desk);
    const draw = BY_PHASE[state.phase];
    return draw ? [reseated(state, desk), waiting(state), offer(desk), seen(state, desk), state.chouette && desk.players?.(state, desk), ...draw(state, may, desk), seated(state)] : [];
  });
}

const summary = ({ match }) => document.body.dataset.doors?.split(' ').includes('kept')
  && h('a', { class: 'button', id: 'summary', href: `/matches/${encodeURIComponent(match.id)}/summary` }, icon('chart'), t('Who played better?'));

const BY_PHASE = {
  no_match: (state, may, desk) => (may('new_match') ? [fromHall(state, desk), newMatch(desk, state.offer ? '' : 'primary')] : []),
  opening: (state, may, desk) => [
    fromHall(state, desk),
    throwers(state, may, desk),
    may('opening') ? openingRows(state, desk) : null,
    may('undo') ? undo(state, desk) : null,
    may('resume') ? button('resume', '', t('Back to the match before'), () => desk.act({ type: 'resume' }), 'undo') : null,
    may('new_match') && untouched(state) ? button('change-match', 'quiet', t('Change the match'), desk.newMatch, 'pen') : null,
  ],
  on_roll: onRoll,
  rolled: playing,
  played: playing,
  doubled: (state, may, desk) => (state.dispute ? [
    answers(state, may, desk, false),
    h('p', { class: 'owed' }, translated(state.dispute, 'text')),
    row(...remedies(state, may, desk)),
    may('undo') ? undo(state, desk) : null,
  ] : answers(state, may, desk)),
  dispute: (state, may, desk) => [
    state.cube.offered ? [h('p', { class: 'owed', id: 'offered' }, doubleText(state)), answers(state, may, desk, false)] : null,
    state.cube.offered ? row(...remedies(state, may, desk)) : remedies(state, may, desk),
    may('double') ? doubling(state, desk) : null,
    may('roll') && nextMayRoll(state) ? rollRows(state, desk, t('Or tap the next roll, which lets the play stand:')) : null,
    may('undo') ? row(undo(state, desk), state.dispute.kind === 'illegal_play' && fix(() => correctBefore(desk))) : null,
  ],
  resigning: (state, may, desk) => [
    row(
      may('accept') && button('accept', 'primary', t('Accept'), () => desk.act({ type: 'accept' })),
      may('refuse') && button('refuse', 'danger', t('Refuse'), () => desk.act({ type: 'refuse' })),
    ),
    may('undo') ? undo(state, desk) : null,
  ],
  game_over: (state, may, desk) => [
    may('next_game') && button('next-game', 'primary', t('Next game'), () => desk.act({ type: 'next_game' })),
    h(
      'div',
      { class: 'row tight' },
      may('undo') && undo(state, desk),
      may('next_game') && !state.chouette && button('swap-seats', '', t('Next game, swap seats'), () => desk.act({ type: 'next_game', swap_seats: true })),
    ),
  ],
  match_over: (state, may, desk) => [fromHall(state, desk), may('new_match') && newMatch(desk, state.offer ? '' : 'primary'), summary(state), may('undo') && undo(state, desk)],
};

// The answers to a double; in a chouette those of the box to all cubes, and each partner has his own.
function answers(state, may, desk, withUndo = true) {
  const apart = state.chouette && state.asked === 'north';
  return [
    apart ? null : row(
      may('take') && button('take', 'primary', state.chouette ? t('Take all') : t('Take'), () => desk.act({ type: 'take' })),
      may('pass') && button('pass', 'danger', state.chouette ? t('Pass all') : t('Pass'), () => desk.act({ type: 'pass' })),
    ),
    row(
      may('beaver') && button('beaver', '', t('Beaver'), () => desk.act({ type: 'beaver' })),
      may('raccoon') && button('raccoon', '', t('Raccoon'), () => desk.act({ type: 'raccoon' })),
      withUndo && may('undo') && undo(state, desk),
    ),
  ];
}

const doubling = (state, desk) => button('double', '', state.chouette ? t('Double all cubes') : t('Double to {value}', { value: 2 * state.cube.value }), () => desk.act({ type: 'double' }), 'cube');

// Before the end of the turn with the illegal play a roll would be an early one.
const nextMayRoll = ({ dispute, on_roll: side }) => dispute.kind === 'illegal_play' && side !== dispute.by;

/** Each possible answer once, with the sides that may give it: the scorekeeper sees one button for both. */
function offered(state) {
  const found = new Map();
  for (const answer of state.dispute?.answers || []) {
    const { type, by } = answer;
    if (!found.has(type)) found.set(type, { type, label: translated(answer, 'label'), by: [] });
    if (by) found.get(type).by.push(by);
  }
  return [...found.values()];
}

// The answers to the open dispute.
const remedies = (state, may, desk) => offered(state).filter((answer) => may(answer.type)).map((answer) =>
  h('button', { type: 'button', id: `answer-${answer.type}`, class: 'answer', onclick: () => desk.act({ type: answer.type }) },
    h('span', {}, answer.label), h('small', {}, answer.by.map((side) => nameOf(state, side)).join(', '))));

const fix = (act) => button('fix', '', t('Correct'), act, 'pen');

// Take an illegal play back, and that the dice were lifted, to correct the roll.
async function correctBefore(desk) {
  for (let n = 0; n < 2 && !desk.mayNow('rule'); n += 1) await desk.act({ type: 'undo' });
  if (desk.mayNow('rule')) desk.startCorrecting();
}

const row = (...children) => h('div', { class: 'row' }, children);
const takeBack = (desk) => () => desk.act({ type: 'undo' });
const undoLabel = (what) => (what ? t('Undo: {what}', { what }) : t('Undo'));

// The button Undo, with what it takes back under its name.
function undo(state, desk) {
  const what = translated(state, 'undo_text');
  return h('button', { type: 'button', id: 'undo', title: undoLabel(what), onclick: takeBack(desk) },
    icon('undo'), h('span', { class: 'labels' }, t('Undo'), what ? h('small', {}, what) : null));
}

const sign = (id, kind, label, act, name) => h('button', { type: 'button', id, class: `${kind} small`, title: label, 'aria-label': label, onclick: act }, icon(name));
const newMatch = (desk, kind = 'primary') => button('new-match', kind, t('New match'), desk.newMatch, 'plus');

// The match that the hall gives this table next; one tap begins it.
function fromHall({ offer: next }, desk) {
  if (!next) return null;
  const { players, length, event, round } = next;
  const about = [event, round && t('round {round}', { round }), length === 0 ? t('Money play') : length && t('to {n}', { n: length })];
  return h('div', { class: 'offer' },
    h('p', {}, h('b', {}, `${players.south} – ${players.north}`), h('br'), about.filter(Boolean).join(' · ')),
    button('hall-match', 'primary', t('Begin the match from the hall'), () => desk.act({ type: 'new_match', pairing: next.pairing })));
}

function openingRows(state, desk) {
  if (state.opening?.each === 2) return openingPairs(state, desk);
  const names = ['south', 'north'].map((side) => nameOf(state, side));
  const given = [state.opening?.south, state.opening?.north];
  return h(
    'div',
    { class: 'typed' },
    h('p', { class: 'hint' }, watched(state) ? t('Or tap the dice here:') : t('Tap the dice here:')),
    diceRows([toneOf(state, 'south'), toneOf(state, 'north')], names, given, ([south, north]) => {
      if (south && north) desk.act({ type: 'opening', south, north });
    }),
  );
}

// Both dice of the opening are read, but not assigned to the sides, or they do not count unless somebody says so.
function throwers(state, may, desk) {
  const values = inOrder(state.throw?.dice || []).map((one) => one.value);
  if (may('opening') && state.opening?.each === 2) return countedPair(state, desk, values);
  if (!may('opening') || !state.reason_text || values.length !== 2 || !values[0] || !values[1] || values[0] === values[1]) return null;
  const [high, low] = values[0] > values[1] ? values : [values[1], values[0]];
  const openingOf = (side) => ({ type: 'opening', south: side === 'south' ? high : low, north: side === 'south' ? low : high });
  const counts = state.ruling !== 'cocked';
  return row(['south', 'north'].map((side) => {
    const name = nameOf(state, side);
    const label = counts ? t('{name}: the {n}', { name, n: high }) : t('Count it: {name} begins', { name });
    return button(`threw-${side}`, counts ? 'primary' : '', label, () => desk.act(openingOf(side)));
  }));
}

// Both dice of one side for the start, which do not count unless somebody says so.
function countedPair(state, desk, values) {
  if (state.ruling !== 'cocked' || values.length !== 2 || !values[0] || !values[1]) return null;
  const side = state.opening.south ? 'north' : 'south';
  return button('count', '', t('Count it: {roll}', { roll: values.join('-') }), () => desk.act({ type: 'opening', [side]: values }));
}

// The rows for a throw that was not read: what was read is there already, the likeliest numbers of the rest come first.
function readRows(state, desk) {
  const seen = state.throw?.dice.length === 2 ? inOrder(state.throw.dice) : [];
  const values = seen.map((one) => one.value);
  const missing = values.filter((value) => !value).length;
  if (missing === values.length) return rollRows(state, desk, t('Tap what you see:'), 'rule', values, seen);
  return rollRows(state, desk, missing ? t('The marked die shows:') : t('If it counts, tap it again:'), 'rule', values, seen);
}

function rollRows(state, desk, hint, type = 'roll', values = [], seen = []) {
  const tone = toneOf(state, state.on_roll || 'south');
  return h(
    'div',
    { class: 'typed' },
    h('p', { class: 'hint' }, hint),
    diceRows([tone, tone], [t('First die'), t('Second die')], values, ([a, b]) => {
      if (a && b) desk.act({ type, dice: [a, b] });
    }, '', seen.map((one) => one.chances)),
  );
}

// For profiles in which each side throws both dice for the start.
function openingPairs(state, desk) {
  return ['south', 'north'].filter((side) => !state.opening?.[side]).map((side) => {
    const tone = toneOf(state, side);
    const name = nameOf(state, side);
    return h(
      'div',
      { class: 'typed' },
      h('p', { class: 'hint' }, name),
      diceRows([tone, tone], [`${name}, ${t('First die')}`, `${name}, ${t('Second die')}`], [], ([a, b]) => {
        if (a && b) desk.act({ type: 'opening', [side]: [a, b] });
      }, `${side}-`),
    );
  });
}

// After 2-1: the six doublets, each with both its dice.
function doublets(state, desk) {
  const tone = toneOf(state, state.on_roll);
  return h('div', { class: 'dice-row', role: 'group', 'aria-label': t('Doublet') }, [1, 2, 3, 4, 5, 6].map((number) => {
    const label = `${number}-${number}`;
    return h('button', { type: 'button', id: `name-${number}`, class: 'die-button pair', title: label, 'aria-label': label, onclick: () => desk.act({ type: 'name', number }) },
      die(number, tone), die(number, tone));
  }));
}

function onRoll(state, may, desk) {
  const doubted = state.ruling === 'unread' && may('rule');
  const seen = state.ruling === 'cocked' && may('rule') ? inOrder(state.throw?.dice || []).map((one) => one.value) : [];
  const counts = seen.length === 2 && seen[0] && seen[1];
  return [
    may('done') ? button('done', 'primary', t('Done'), () => desk.act({ type: 'done' }), 'check') : null,
    h(
      'div',
      { class: 'row tight' },
      may('double') ? doubling(state, desk) : null,
      counts ? button('count', '', t('Count it: {roll}', { roll: seen.join('-') }), () => desk.act({ type: 'rule', dice: seen })) : null,
      doubted ? button('cocked', '', t('Cocked'), () => desk.act({ type: 'rule', ruling: 'cocked' }), 'again') : null,
      // beside two other buttons there is room for its icon only
      may('undo') && may('double') && (counts || doubted) ? sign('undo', '', undoLabel(translated(state, 'undo_text')), takeBack(desk), 'undo') : null,
      may('undo') && !(may('double') && (counts || doubted)) ? undo(state, desk) : null,
      may('resign') ? sign('resign', 'quiet', t('Resign…'), desk.resign, 'flag') : null,
    ),
    may('name') ? doublets(state, desk) : null,
    may('roll') && doubted ? readRows(state, desk) : null,
    may('roll') && !doubted ? rollRows(state, desk, rollHint(state, counts)) : null,
  ];
}

// Beside "Count it" the dice are for the throw made again; where a die was not read they are for either.
function rollHint(state, counts) {
  if (counts) return t('Or tap the new roll here:');
  return watched(state) ? t('Or tap the roll here:') : t('Tap the roll here:');
}

function playing(state, may, desk) {
  const ready = state.phase === 'played' || state.making?.complete;
  return [
    state.anew && may('lift') && !ready ? button('anew', '', t('Roll both dice again'), () => desk.act({ type: 'lift' }), 'again') : null,
    ((state.owed || state.part) && !may('done')) || (state.anew && !ready)
      ? null
      : h(
          'div',
          { class: 'row main' },
          may('done') && h('button', { type: 'button', id: 'done', class: ready ? 'primary' : '', disabled: !ready, onclick: () => desk.act({ type: 'done' }) }, icon('check'), t('Done')),
        ),
    row(may('undo') && undo(state, desk), may('rule') && fix(() => desk.startCorrecting())),
    may('play') ? playLine(desk) : null,
    state.owed && may('roll') && !(state.checkers?.question && seen(state, desk)) ? rollRows(state, desk, t('Or tap the next roll, if already thrown:')) : null,
  ];
}

// An illegal play on the board: it is entered without rules, and the table asks how to settle it.
function freely(desk) {
  const { hits } = carried(desk.laid(), desk.free);
  const written = desk.free.map(([from, to], n) => `${pointName(from)}/${pointName(to)}${hits[n] ? '*' : ''}`);
  return [
    h('p', { class: 'hint' }, t('Enter the play as it stands on the board, legal or not.')),
    h('p', { class: 'big', id: 'free' }, written.join(' ') || '…'),
    button('free-record', 'primary', t('Played like this'), desk.recordFree, 'check'),
    row(
      h('button', { type: 'button', id: 'free-undo', disabled: !desk.free.length, onclick: desk.undoFree }, icon('undo'), t('Undo')),
      button('free-cancel', '', t('Cancel'), desk.stopFree),
    ),
  ];
}

function playLine(desk) {
  const line = h('input', {
    id: 'typed-play',
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    inputmode: 'text',
    maxlength: 80,
    value: desk.offer?.body.text,
    placeholder: '8/5 6/5',
    'aria-label': t('Type the play'),
  });
  const send = async (event) => {
    event.preventDefault();
    if (line.value.trim() && (await desk.typed(line.value.trim()))) line.value = '';
  };
  return h(
    'form',
    { class: 'type-play', onsubmit: send },
    line,
    h('button', { type: 'submit', id: 'typed-send', 'aria-label': t('Enter the play') }, icon('enter')),
  );
}

function correction(state, desk) {
  return [
    h('p', { class: 'hint' }, t('Tap the right number:')),
    state.may.includes('opening') ? openingCorrection(state, desk) : rollCorrection(state, desk),
    h(
      'div',
      { class: 'row tight' },
      button('rule-cocked', '', t('Cocked – roll again'), () => desk.correct({ type: 'rule', ruling: 'cocked' }), 'again'),
      button('keep', 'quiet', t('Keep it'), desk.stopCorrecting),
    ),
    state.thrown_by_hand === 'stands' ? null : button('by-hand', '', state.thrown_by_hand === 'void' ? t('Thrown by hand – roll again') : t('Thrown by hand…'),
      () => desk.correct({ type: 'rule', void: 'by_hand', question: t('Thrown by hand, not from a cup?') }), 'flag'),
    state.may.includes('roll') ? button('early', 'quiet', t('{name} rolled too early…', { name: nameOf(state, other(state.on_roll)) }), () => desk.startCorrecting('early'), 'dice') : null,
  ];
}

// The other side's roll before the end of this turn; the table says what becomes of it.
function earlyRoll(state, desk) {
  const side = other(state.on_roll);
  const tone = toneOf(state, side);
  return [
    h('p', { class: 'hint' }, t('What did {name} roll before the turn was over?', { name: nameOf(state, side) })),
    diceRows([tone, tone], [t('First die'), t('Second die')], [], ([a, b]) => {
      if (a && b) desk.correct({ type: 'roll', dice: [a, b], side });
    }),
    button('keep', 'quiet', t('Cancel'), desk.stopCorrecting),
  ];
}

function rollCorrection(state, desk) {
  const tone = state.on_roll ? toneOf(state, state.on_roll) : 'light';
  const given = state.roll || inOrder(state.throw?.dice || []).map((one) => one.value);
  return diceRows([tone, tone], [t('First die'), t('Second die')], given, ([a, b]) => {
    if (a && b) desk.correct({ type: 'rule', dice: [a, b] });
  });
}

// In the opening each die belongs to a side; the side that begins threw the higher one. Equal dice wait for a second
// tap: they may be only the first of two corrections, and they can turn the cube.
function openingCorrection(state, desk) {
  const [high, low] = state.roll;
  const given = SIDES.map((side) => (side === state.on_roll ? high : low));
  const again = h('div', { class: 'row' });
  const send = (south, north) => desk.correct({ type: 'opening', south, north });
  const chosen = ([south, north]) => {
    if (south !== north) return send(south, north);
    return again.replaceChildren(button('equal', '', t('{roll}: roll again', { roll: `${south}-${north}` }), () => send(south, north), 'again'));
  };
  return [diceRows(SIDES.map((side) => toneOf(state, side)), SIDES.map((side) => nameOf(state, side)), given, chosen), again];
}
