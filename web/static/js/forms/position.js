// Form to set the checkers by hand: for a match joined in the middle, a wrong start, or a lost position.

import { begun } from '../lib/begun.js';
import { Board } from '../board/board.js';
import { because, choice, field, options, problem, show, submit } from '../dialogs/dialog.js';
import { h, s } from '../lib/dom.js';
import { SIDES, countOf, nameOf, opposite, other } from '../board/seats.js';
import { t } from '../lib/words.js';

const BAR = 25;
const CUBES = [1, 2, 4, 8, 16, 32, 64];

// A form closed before it was sent, {matter, at, given}: reopened, it is restored if the table has not changed since.
let draft = begun('position', () => draft);
const matter = (state) => JSON.stringify([state.match?.id, state.match?.game, state.phase, state.on_roll, state.position.board]);

/**
 * Both sides' checkers on points 1 to 24 and the bar, each in its own numbering; the rest is borne off. `waiting` counts
 * those on the bar that were not hit, in a game that begins with checkers there.
 */
class Setup {
  constructor(state) {
    this.game = state.position.board.game;
    this.lay(state.position.board);
    this.checkers = this.sum('south') + countOf(state, 'south', 0);
  }

  /** Take the checkers from a board in the shape of the state's. */
  lay(board) {
    const shown = { position: { board } };
    this.at = Object.fromEntries(SIDES.map((side) => [side, Array.from({ length: BAR + 1 }, (_, n) => (n ? countOf(shown, side, n) : 0))]));
    this.pinned = structuredClone(board.pinned);
    this.waiting = { ...board.not_entered };
  }

  clear() {
    for (const side of SIDES) this.at[side] = Array.from({ length: BAR + 1 }, () => 0);
    this.pinned = { south: [], north: [] };
    this.waiting = { south: 0, north: 0 };
  }

  sum(side) {
    return this.at[side].reduce((all, n) => all + n, 0);
  }

  /**
   * Add or remove a checker; a side has at most the checkers that it plays with. A point has one owner, but for a
   * pinned checker: a single opposing one on which others are put.
   */
  change(side, point, n) {
    const mine = this.at[side];
    if (!point || (n > 0 && this.sum(side) >= this.checkers)) return;
    if (n > 0 && point < BAR) this.cover(side, point);
    mine[point] = Math.max(0, mine[point] + n);
    if (!mine[point]) this.free(side, point);
  }

  cover(side, point) {
    const [foe, there] = [other(side), opposite(this.game, point)];
    if (this.game === 'pinning' && this.at[foe][there] === 1 && !this.pinned[side].includes(point)) {
      if (!this.pinned[foe].includes(there)) this.pinned[foe].push(there);
      return;
    }
    this.at[foe][there] = 0;
    this.free(side, point);
  }

  /** Nothing is pinned on this point any more. */
  free(side, point) {
    const drop = (who, at) => {
      this.pinned[who] = this.pinned[who].filter((one) => one !== at);
    };
    drop(side, point);
    drop(other(side), opposite(this.game, point));
  }

  /** The checkers in the shape of the state's board. */
  board() {
    return {
      points: this.pos('south').slice(1, BAR),
      bar: { south: this.at.south[BAR], north: this.at.north[BAR] },
      off: { south: this.checkers - this.sum('south'), north: this.checkers - this.sum('north') },
      game: this.game,
      pinned: this.pinned,
      not_entered: this.waiting,
    };
  }

  /** The checkers in the shape of an action: 26 numbers, seen by the side on roll, without pinned ones. */
  pos(side) {
    const shown = (who, n) => this.at[who][n] - this.pinned[who].includes(n);
    const points = Array.from({ length: 24 }, (_, n) => shown(side, n + 1) - shown(other(side), opposite(this.game, n + 1)));
    return [-this.at[other(side)][BAR], ...points, this.at[side][BAR]];
  }

  /** The pinned checkers in the same shape: 1 for one of the side on roll, -1 for one of the other. */
  under(side) {
    const at = (n) => this.pinned[side].includes(n) - this.pinned[other(side)].includes(opposite(this.game, n));
    return Array.from({ length: BAR + 1 }, (_, n) => (n && n < BAR ? at(n) : 0));
  }
}

const keys = (board) => (event) => {
  if (event.key.startsWith('Arrow')) board.step(event.key);
  else if (event.key === 'Enter' || event.key === ' ') event.target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  else return;
  event.preventDefault();
};

/** The form: a board to tap, and the other parts of a position; it begins with `seen`, the board of a picture, and then with the roll that lies there. */
export function position(state, desk, seen) {
  const setup = new Setup(state);
  const about = matter(state);
  const before = !seen && draft?.matter === about ? draft : null;
  if (seen) setup.lay(seen);
  if (before) Object.assign(setup, { at: before.at, pinned: before.pinned, waiting: before.waiting });
  const tool = { side: 'south', n: 1 };
  const drawing = s('svg', { class: 'board', role: 'group', 'aria-label': t('Board') });
  const board = new Board(drawing, (point) => {
    setup.change(tool.side, point, tool.n);
    keep();
    draw();
  }, 'set-');
  drawing.addEventListener('keydown', keys(board));
  const left = h('p', { class: 'hint', 'aria-live': 'polite' });

  function draw() {
    const shown = { ...state, on_roll: tool.side, phase: 'no_match', roll: null, making: null, may: ['play'] };
    board.show({ ...shown, position: { board: setup.board() } }, 'south', { sources: new Set() });
    const { off } = setup.board();
    left.className = SIDES.some((side) => off[side] > countOf(state, side, 0)) ? 'error' : 'hint'; // a checker forgotten is borne off
    left.textContent = SIDES.map((side) => t('{name}: {n} borne off', { name: nameOf(state, side), n: off[side] })).join(' · ');
  }

  const tools = [1, -1].flatMap((n) => SIDES.map((side) => {
    const label = choice('tool', `${side} ${n}`, side === 'south' && n === 1, `${n > 0 ? '+' : '−'} ${nameOf(state, side)}`);
    label.addEventListener('change', () => {
      Object.assign(tool, { side, n });
      draw();
    });
    return label;
  }));
  const all = (id, label, lay) => h('button', { type: 'button', id, onclick: () => {
    lay();
    for (const side of match.start.not_entered.south ? SIDES : []) form.elements[`waiting-${side}`].value = setup.waiting[side];
    keep();
    draw();
  } }, label);
  const keep = () => {
    draft = { matter: about, at: setup.at, pinned: setup.pinned, waiting: setup.waiting, given: Object.fromEntries(new FormData(form)) };
  };
  const { match, cube } = state;
  const lies = state.phase === 'rolled' && state.roll.join('-');
  const sides = SIDES.map((side) => [side, nameOf(state, side)]);
  const score = (side) => field(`${nameOf(state, side)}, ${t('score')}`, h('input', { name: `score-${side}`, value: match.score[side], inputmode: 'numeric', pattern: '[0-9]+', maxlength: 3, required: true }));
  const waiting = (side) => {
    const control = h('input', { name: `waiting-${side}`, value: setup.waiting[side], inputmode: 'numeric', pattern: '[0-9]+', maxlength: 2, required: true });
    control.addEventListener('input', () => {
      setup.waiting = { ...setup.waiting, [side]: Number(control.value) || 0 };
      draw();
    });
    return field(t('{name}: checkers on the bar that were not hit', { name: nameOf(state, side) }), control);
  };
  const form = h(
    'form',
    { class: 'setup' },
    h('p', { class: 'hint' }, t('Tap a point to add or remove a checker.')),
    h('div', { class: 'choices' }, tools),
    drawing,
    left,
    h(
      'div',
      { class: 'row' },
      all('setup-table', t('Current position'), () => setup.lay(state.position.board)),
      all('setup-start', t('Starting position'), () => setup.lay(match.start)),
      all('setup-clear', t('Clear the board'), () => setup.clear()),
    ),
    h(
      'div',
      { class: 'two' },
      field(t('On roll'), options('on_roll', sides, state.on_roll || 'south')),
      lies ? field(t('Roll'), options('roll', [['', '–'], [lies, lies]], seen ? lies : '')) : null,
      cube.in_play ? field(t('Cube value'), options('cube', [...new Set([...CUBES, cube.value])].map((n) => [n, String(n)]), cube.value)) : null,
      cube.in_play ? field(t('Cube owner'), options('owner', [['middle', t('nobody')], ...sides], cube.owner || 'middle')) : null,
      h('label', { class: 'tick' }, h('input', { type: 'checkbox', name: 'wrong' }), h('span', {}, t('The game was started from this wrong position'))),
      match.start.not_entered.south ? SIDES.map(waiting) : null,
      score('south'),
      score('north'),
    ),
    because(),
    h('div', { class: 'send' }, problem(), h('button', { type: 'submit', class: 'primary', id: 'setup-done' }, t('Set the position'))),
  );
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    const given = new FormData(form);
    const side = given.get('on_roll');
    const few = match.start.not_entered.south && SIDES.find((one) => setup.waiting[one] > setup.at[one][BAR]);
    if (few) {
      form.querySelector('.error[role]').textContent = t('{name}: only {n} on the bar.', { name: nameOf(state, few), n: setup.at[few][BAR] });
      return;
    }
    const checkers = { type: 'set_position', pos: setup.pos(side), under: setup.under(side), on_roll: side, why: given.get('why').trim() };
    const rest = {
      ...(match.start.not_entered.south ? { not_entered: setup.waiting } : {}),
      ...(given.get('roll') ? { dice: given.get('roll').split('-').map(Number) } : {}),
      ...(cube.in_play ? { cube: { value: Number(given.get('cube')), owner: given.get('owner') } } : {}),
      score: { south: Number(given.get('score-south')), north: Number(given.get('score-north')) },
    };
    submit(form, desk, given.get('wrong') ? { ...checkers, wrong_start: true } : { ...checkers, ...rest });
  });
  // How a game was begun is about the checkers alone.
  const fit = () => {
    for (const name of ['roll', 'cube', 'owner', ...SIDES.flatMap((side) => [`score-${side}`, `waiting-${side}`])]) {
      const control = form.elements[name];
      if (control) control.closest('label').hidden = form.elements.wrong.checked;
    }
  };
  form.addEventListener('input', keep);
  form.elements.wrong.addEventListener('change', fit);
  for (const [name, value] of Object.entries(before?.given ?? {})) {
    const control = form.elements[name];
    if (control.type === 'checkbox') control.checked = true;
    else if (name !== 'tool') control.value = value;
  }
  fit();
  draw();
  show(t('Set the position'), form, ...(fitsIds(state) ? [byId(desk)] : []));
}

/** Whether ids can hold the positions of this game: one of hitting in which nothing enters later. */
export const fitsIds = ({ match: { start } }) => start.game === 'hitting' && !start.not_entered.south;

/** A position's id under the name of its kind. */
export function named(text) {
  const id = text.trim();
  return { [/^XGID|=|^[-a-pA-P]{26}:/.test(id) ? 'xgid' : 'gnubgid']: id };
}

function byId(desk) {
  const form = h(
    'form',
    {},
    field(t('XGID or GNU Backgammon ID'), h('input', { name: 'id', maxlength: 120, required: true, autocomplete: 'off', spellcheck: 'false' })),
    because(),
    problem(),
    h('button', { type: 'submit' }, t('Set the position')),
  );
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    submit(form, desk, { type: 'set_position', ...named(form.elements.id.value), why: form.elements.why.value.trim() });
  });
  return h('details', {}, h('summary', {}, t('By ID')), h('div', {}, form));
}
