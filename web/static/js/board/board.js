// The board as an SVG drawing, seen from the viewer's seat.

import { s } from '../lib/dom.js';
import { dieFace } from './dice.js';
import { BAR, OFF, SIDES, countOf, isPinned, nameOf, opposite, other, southern, toneOf } from './seats.js';
import { t } from '../lib/words.js';

const U = 100; // a point's width
const R = 46; // a checker's radius
const AIMED = 0.2; // a tap this near to a point's middle, in its widths, means this point
const CENTRED = 64; // the face that a cube shows before it is turned

/**
 * Sizes of the drawing: its rim, the ledge at top and bottom with the points' numbers, the bar, the tray, the field's
 * height and the longest column of a point's checkers.
 */
const sized = (size) => {
  const { rim, ledge, bar, tray, field } = size;
  const height = 2 * ledge + field;
  return { ...size, width: rim + 12 * U + bar + rim + tray + rim, height, middle: height / 2, reach: 478 };
};
const WIDE = sized({ rim: 22, ledge: 46, bar: 108, tray: 112, field: 1130, die: 104, letters: 31 });
const SLIM = sized({ rim: 6, ledge: 48, bar: 96, tray: 78, field: 1040, die: 92, letters: 40 }); // for a phone: wider points

/** Whether the screen is so narrow that a board is drawn slim; css/page.css has the same limit. */
export const narrow = matchMedia('(max-width: 30rem)');

/**
 * The drawing's coordinates, for a board with its home on the right or left, seen from one seat. In a running game the
 * sides' home boards are at opposite ends, each with a tray beside it.
 */
export function layout(home, bottom, game = 'hitting', size = WIDE) {
  const { rim, tray, bar } = size;
  const turned = bottom === 'north';
  const running = game === 'running';
  const right = running ? home === 'right' : (home === 'right') !== turned;
  const width = size.width + (running ? tray + rim : 0);
  const x0 = right && !running ? rim : rim + tray + rim;
  const column = (c) => x0 + c * U + (c >= 6 ? bar : 0) + U / 2;
  const trays = { right: width - rim - tray / 2, left: rim + tray / 2 };
  return {
    size: { ...size, width },
    field: { x: x0, width: 12 * U + bar },
    bar: x0 + 6 * U + bar / 2,
    /** The middle of the tray of this seat. */
    tray: (side) => trays[(right !== (running && side !== bottom)) ? 'right' : 'left'],
    /** The column's middle, and whether it hangs from the top, for a point (1 to 24) of `side`'s numbering. */
    spot(side, point) {
      const south = southern(game, side, point);
      const below = south <= 12;
      let c = below ? 12 - south : south - 13;
      if (home !== 'right') c = 11 - c;
      if (turned) c = 11 - c;
      return { x: column(c), top: below === turned };
    },
    /** Whether this seat is at the top of the drawing. */
    seatTop: (side) => side !== bottom,
  };
}

function stackAt({ ledge, height, reach }, top, k, n) {
  const step = n <= 5 ? 2 * R + 1 : (reach - 2 * R) / (n - 1);
  const d = ledge + R + 2 + k * step;
  return top ? d : height - d;
}

/** Place of the k-th of n checkers: {x, y}, or for one borne off {x, y, slab: true}. */
function placeOf(map, side, point, k, n) {
  const { ledge, height, middle } = map.size;
  if (point === OFF) {
    const d = ledge + 16 + k * 27;
    return { x: map.tray(side), y: map.seatTop(side) ? d : height - d, slab: true };
  }
  if (point === BAR) {
    const step = n <= 4 ? 2 * R + 2 : 280 / (n - 1);
    const d = 96 + k * step;
    return { x: map.bar, y: map.seatTop(side) ? middle + d : middle - d };
  }
  const { x, top } = map.spot(side, point);
  return { x, y: stackAt(map.size, top, k, n) };
}

function triangle(map, side, point) {
  const { x, top } = map.spot(side, point);
  const { ledge, height, reach } = map.size;
  const y = top ? ledge : height - ledge;
  const tip = top ? y + reach - 40 : y - reach + 40;
  return `M${x - U / 2 + 3} ${y}L${x} ${tip}L${x + U / 2 - 3} ${y}Z`;
}

function checker(tone, slab) {
  return s(
    'g',
    { class: `checker ${tone}` },
    s('circle', { class: 'shade', cx: 2, cy: 5, r: R }),
    s('circle', { class: 'body', r: R }),
    s('circle', { class: 'ring', r: R - 11 }),
    tone === 'dark' ? s('path', { class: 'mark', d: 'M0 -15L15 0L0 15L-15 0Z' }) : null,
    s('rect', { class: 'slab', x: -slab / 2, y: -12, width: slab, height: 24, rx: 7 }),
    s('text', { class: 'many', y: 15 }),
  );
}

/** Place of the cube: beside the board in the middle, towards who is asked, or on the bar at its owner's rim. */
function cubePlace(map, owner, asked, bottom) {
  const { height, middle } = map.size;
  if (owner) return { x: map.bar, y: owner === bottom ? height - 62 : 62 };
  return { x: map.tray(bottom), y: middle + (asked ? (asked === bottom ? 62 : -62) : 0) };
}

/** The drawing, with animated checkers. */
export class Board {
  /**
   * @param {SVGSVGElement} root filled by this
   * @param {(point: number) => void} tapped called with a point of the side on roll (25 bar, 0 off); null: to look at
   * @param {string} mark begins the ids of the places that can be tapped, where there is another such board
   */
  constructor(root, tapped = null, mark = '') {
    this.root = root;
    this.tapped = tapped;
    this.ids = `${mark}spot-`;
    this.pieces = { south: [], north: [] };
    this.shape = '';
    this.grabbed = false;
    // a finger that drags a checker must not scroll the page
    root.addEventListener('touchmove', (event) => this.grabbed && event.preventDefault(), { passive: false });
  }

  /** Draw the state; `marks` is {sources, selected, targets} in the numbering of the side on roll. */
  show(state, bottom, marks = {}) {
    const size = narrow.matches ? SLIM : WIDE;
    const { game } = state.position.board;
    const shape = `${state.orientation.home} ${bottom} ${state.orientation.south} ${size.width} ${game}`;
    this.numbering = (state.phase === 'doubled' && state.asked) || state.on_roll || bottom; // of the side that thinks
    this.game = game;
    this.map = layout(state.orientation.home, bottom, game, size);
    if (shape !== this.shape) this.build(state);
    this.shape = shape;
    this.number();
    for (const side of SIDES) this.place(state, side);
    this.mark(state, marks);
    this.dice(state);
    this.cube(state, bottom);
  }

  build(state) {
    const map = this.map;
    const { ledge, bar, tray, field, height, width } = map.size;
    const { x } = map.field;
    this.root.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.pieces = { south: [], north: [] };
    this.points = s('g', {});
    this.numbers = s('g', { class: 'numbers', 'aria-hidden': 'true' });
    this.glow = s('g', { class: 'glow' });
    this.checkers = s('g', { class: 'checkers', 'aria-hidden': 'true' });
    this.diceAt = s('g', { class: 'rolled', 'aria-hidden': 'true' });
    this.cubeAt = s('g', { class: 'cube', 'aria-hidden': 'true' });
    this.hints = s('g', { class: 'hints', 'aria-hidden': 'true' });
    this.spots = s('g', { class: 'spots' });
    for (let point = 1; point <= 24; point += 1) {
      this.points.append(s('path', { class: point % 2 ? 'odd' : 'even', d: triangle(map, 'south', point) }));
    }
    this.root.replaceChildren(
      s('rect', { class: 'frame', width, height, rx: 26 }),
      s('rect', { class: 'field', x, y: ledge, width: 6 * U, height: field, rx: 6 }),
      s('rect', { class: 'field', x: x + 6 * U + bar, y: ledge, width: 6 * U, height: field, rx: 6 }),
      ...SIDES.map((side) => s('rect', { class: 'well', x: map.tray(side) - tray / 2, y: map.seatTop(side) ? ledge : height - ledge - 440, width: tray, height: 440, rx: 10 })),
      s('path', { class: 'hinge', d: `M${map.bar} 0V${height}` }),
      this.points,
      this.numbers,
      this.glow,
      this.checkers,
      this.cubeAt,
      this.diceAt,
      this.hints,
      this.spots,
    );
    if (this.tapped) this.addSpots();
  }

  // One invisible button for each place that can be tapped, in the numbering of the side on roll.
  addSpots() {
    const { ledge, bar, tray, height, middle } = this.map.size;
    this.spot = new Map();
    for (let south = 1; south <= 24; south += 1) {
      const { x, top } = this.map.spot('south', south);
      this.addSpot(`p${south}`, x - U / 2, top ? ledge - 40 : middle + 20, U, middle - ledge + 20);
    }
    for (const side of SIDES) {
      const top = this.map.seatTop(side);
      this.addSpot(`off-${side}`, this.map.tray(side) - tray / 2 - 12, top ? 0 : height - 500, tray + 24, 500);
      this.addSpot(`bar-${side}`, this.map.bar - bar / 2, top ? middle : 60, bar, middle - 60);
    }
  }

  addSpot(key, x, y, width, height) {
    const spot = s('rect', { class: 'spot', x, y, width, height, rx: 12, role: 'button', tabindex: -1, id: this.ids + key });
    spot.addEventListener('click', (event) => {
      if (!this.dragged) this.tapped(this.aimedAt(event, this.pointOf(key)));
      this.dragged = false;
    });
    spot.addEventListener('pointerdown', (event) => this.grab(event, spot, key));
    this.spot.set(key, spot);
    this.spots.append(spot);
  }

  // A finger near the edge of a point that cannot be meant is taken for the point beside it, if that one can be.
  aimedAt(event, point) {
    const { usable } = this;
    if (event.pointerType !== 'touch' || !usable || usable.has(point) || point === BAR || point === OFF) return point;
    const { x, top } = this.map.spot(this.numbering, point);
    const aside = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse()).x - x;
    if (Math.abs(aside) < AIMED * U) return point;
    const beside = [point - 1, point + 1].filter((one) => one >= 1 && one <= 24).find((one) => {
      const other = this.map.spot(this.numbering, one);
      return other.top === top && Math.sign(other.x - x) === Math.sign(aside);
    });
    return usable.has(beside) ? beside : point;
  }

  // Dragging a checker acts like two taps, with the checker under the finger in between.
  grab(event, spot, key) {
    this.dragged = false;
    if (!spot.classList.contains('grab') || event.button > 0) return;
    this.grabbed = true;
    const from = { x: event.clientX, y: event.clientY };
    const point = this.pointOf(key);
    let piece = null;
    const move = (now) => {
      if (!piece && Math.hypot(now.clientX - from.x, now.clientY - from.y) < 10) return;
      if (!piece) {
        if (spot.getAttribute('aria-pressed') !== 'true') this.tapped(point);
        piece = this.topPiece(point);
        piece?.node.classList.add('dragged');
        this.dragged = true;
      }
      const at = new DOMPoint(now.clientX, now.clientY).matrixTransform(this.root.getScreenCTM().inverse());
      if (piece) piece.node.style.transform = `translate(${at.x}px, ${at.y}px)`;
    };
    const drop = (end) => {
      this.grabbed = false;
      for (const [name, listener] of listeners) spot.removeEventListener(name, listener);
      if (!piece) return;
      piece.node.classList.remove('dragged');
      piece.node.style.transform = piece.rest;
      const below = document.elementsFromPoint(end.clientX, end.clientY).find((one) => one.classList.contains('spot') && !one.getAttribute('aria-hidden'));
      if (end.type === 'pointerup' && below && below !== spot) this.tapped(this.pointOf(below.id.slice(this.ids.length)));
    };
    const listeners = [['pointermove', move], ['pointerup', drop], ['pointercancel', drop]];
    for (const [name, listener] of listeners) spot.addEventListener(name, listener);
    spot.setPointerCapture(event.pointerId);
  }

  topPiece(point) {
    const own = this.pieces[this.numbering].filter((piece) => piece.at.split(' ')[0] === String(point));
    return own.sort((a, b) => Number(b.at.split(' ')[1]) - Number(a.at.split(' ')[1]))[0];
  }

  /** The point (of the side on roll) behind a spot's key. */
  pointOf(key) {
    if (key.startsWith('p')) return southern(this.game, this.numbering, Number(key.slice(1)));
    return key.startsWith('bar') ? BAR : OFF;
  }

  keyOf(point) {
    if (point === BAR) return `bar-${this.numbering}`;
    if (point === OFF) return `off-${this.numbering}`;
    return `p${southern(this.game, this.numbering, point)}`;
  }

  number() {
    if (this.numbered === this.numbering + this.shape && this.numbers.childNodes.length) return;
    this.numbered = this.numbering + this.shape;
    const texts = [];
    const { ledge, height, letters } = this.map.size;
    for (let point = 1; point <= 24; point += 1) {
      const { x, top } = this.map.spot(this.numbering, point);
      texts.push(s('text', { x, y: top ? ledge - 12 : height - 12, 'font-size': letters }, String(point)));
    }
    this.numbers.replaceChildren(...texts);
  }

  // Checkers whose place stays filled do not move; the others glide to the newly filled places.
  place(state, side) {
    const wanted = new Map();
    for (let point = OFF; point <= BAR; point += 1) {
      const n = countOf(state, side, point);
      const lift = this.liftOf(state, side, point);
      for (let k = 0; k < n; k += 1) wanted.set(`${point} ${k}`, { point, k: k + lift, n: n + lift });
    }
    const free = [];
    for (const piece of this.pieces[side]) {
      if (wanted.has(piece.at)) {
        this.set(piece, side, wanted.get(piece.at));
        wanted.delete(piece.at);
      } else free.push(piece);
    }
    for (const [at, slot] of wanted) {
      let piece = free.pop();
      if (!piece) {
        piece = { node: checker(toneOf(state, side), this.map.size.tray - 12), at };
        this.pieces[side].push(piece);
      }
      piece.at = at;
      this.checkers.append(piece.node);
      this.set(piece, side, slot);
    }
    for (const piece of this.pieces[side]) if (isPinned(state, side, Number(piece.at.split(' ')[0]))) this.checkers.prepend(piece.node);
    for (const piece of free) {
      piece.node.remove();
      this.pieces[side].splice(this.pieces[side].indexOf(piece), 1);
    }
  }

  // Checkers on a pinned one leave half of it to be seen.
  liftOf(state, side, point) {
    const pins = point > OFF && point < BAR && !isPinned(state, side, point) && isPinned(state, other(side), opposite(this.game, point));
    return pins ? 0.5 : 0;
  }

  set(piece, side, { point, k, n }) {
    const { x, y, slab } = placeOf(this.map, side, point, k, n);
    piece.rest = `translate(${x}px, ${y}px)`;
    piece.node.style.transform = piece.rest;
    piece.node.classList.toggle('off', Boolean(slab));
    const many = !slab && k === n - 1 && n > (point === BAR ? 4 : 5);
    piece.node.classList.toggle('counted', many);
    piece.node.lastChild.textContent = many ? String(n) : '';
  }

  mark(state, { sources, selected = null, targets }) {
    this.usable = sources ? new Set([...sources, ...(targets?.keys() ?? []), selected]) : null;
    const rings = [];
    const triangles = [];
    const side = this.numbering;
    const ringAt = (point, name, k) => {
      const n = countOf(state, side, point) + this.liftOf(state, side, point);
      const { x, y } = placeOf(this.map, side, point, k ?? Math.max(n - 1, 0), Math.max(n, 1));
      rings.push(s('circle', { class: name, cx: x, cy: y, r: name === 'selected' ? R + 3 : R - 2 }));
    };
    if (sources && selected === null) for (const point of sources) ringAt(point, 'source');
    if (selected !== null) ringAt(selected, 'selected');
    for (const [point, { hits, far }] of targets || []) {
      if (point > 0) triangles.push(s('path', { class: 'target', d: triangle(this.map, side, point) }));
      const n = countOf(state, side, point) + this.liftOf(state, side, point);
      const { x, y } = point === OFF ? this.offSpot(side) : placeOf(this.map, side, point, n, n + 1);
      rings.push(s('circle', { class: `landing${hits ? ' hits' : ''}${far ? ' far' : ''}`, cx: x, cy: y, r: far ? 20 : 28 }));
    }
    this.glow.replaceChildren(...triangles);
    this.hints.replaceChildren(...rings);
    if (this.tapped) this.labelSpots(state, { sources, selected, targets });
  }

  offSpot(side) {
    const { ledge, height } = this.map.size;
    return { x: this.map.tray(side), y: this.map.seatTop(side) ? ledge + 220 : height - ledge - 220 };
  }

  labelSpots(state, marks) {
    const may = state.may.includes('play');
    for (const [key, spot] of this.spot) {
      const point = this.pointOf(key);
      const mine = key === this.keyOf(point);
      spot.setAttribute('aria-label', mine ? this.label(state, point, marks) : '');
      const usable = mine && may;
      spot.classList.toggle('usable', usable);
      spot.classList.toggle('grab', usable && (marks.sources ? marks.sources.has(point) : point !== OFF && countOf(state, this.numbering, point) > 0));
      spot.setAttribute('aria-disabled', String(!usable));
      spot.setAttribute('aria-pressed', String(mine && marks.selected === point));
      if (mine) spot.removeAttribute('aria-hidden');
      else spot.setAttribute('aria-hidden', 'true');
    }
    const held = [...this.spot.values()].find((spot) => spot.getAttribute('tabindex') === '0');
    if (!held) this.spot.get(this.keyOf(24)).setAttribute('tabindex', '0');
  }

  label(state, point, { sources, targets }) {
    const where = point === BAR ? t('bar') : point === OFF ? t('borne off') : t('{n}-point', { n: point });
    const counts = SIDES.map((side) => {
      const own = side === this.numbering;
      const at = point === BAR || point === OFF ? (own ? point : -1) : own ? point : opposite(this.game, point);
      const n = at < 0 ? 0 : countOf(state, side, at);
      if (!n) return '';
      const values = { n, name: nameOf(state, side) };
      return at < BAR && isPinned(state, side, at) ? t('{n} of {name}, pinned', values) : t('{n} of {name}', values);
    }).filter(Boolean);
    const can = targets?.has(point) ? t('can go here') : sources?.has(point) ? t('can move') : '';
    return [where, ...(counts.length ? counts : [t('empty')]), can].filter(Boolean).join(', ');
  }

  /** The position in words, for screen readers. */
  static describe(state) {
    return SIDES.map((side) => {
      const places = [];
      for (let point = BAR; point >= OFF; point -= 1) {
        const n = countOf(state, side, point);
        const where = point === BAR ? t('bar') : point === OFF ? t('borne off') : String(point);
        const many = isPinned(state, side, point) ? t('pinned') : point === BAR ? onBar(state, side, n) : n;
        if (n) places.push(`${where}: ${many}`);
      }
      return `${nameOf(state, side)}. ${places.join(', ')}.`;
    }).join(' ');
  }

  dice(state) {
    const rolled = state.roll && ['rolled', 'played', 'dispute', 'on_roll'].includes(state.phase) && state.on_roll;
    if (!rolled) {
      this.diceAt.replaceChildren();
      return;
    }
    const side = state.on_roll;
    const tone = toneOf(state, side);
    const right = !this.map.seatTop(side); // the side on roll throws into its own right half
    const { bar, middle, die } = this.map.size;
    const x = right ? this.map.field.x + 9 * U + bar : this.map.field.x + 3 * U;
    const used = usedNumbers(state);
    this.diceAt.replaceChildren(
      ...state.roll.map((value, n) =>
        s('g', { transform: `translate(${x - 66 + n * 132} ${middle})`, class: used[n] ? 'used' : '' }, dieFace(value, tone, die)),
      ),
    );
  }

  cube(state, bottom) {
    const { in_play: inPlay, value, owner, offered } = state.cube;
    if (!inPlay || (state.match && state.match.length === 1)) return this.cubeAt.replaceChildren();
    this.cubeAt.replaceChildren(
      s('rect', { x: -44, y: -44, width: 88, height: 88, rx: 14 }),
      s('text', { y: 19 }, String(offered || (value === 1 ? CENTRED : value))),
    );
    const { x, y } = cubePlace(this.map, offered ? null : owner, offered ? state.asked : null, bottom);
    this.cubeAt.style.transform = `translate(${x}px, ${y}px)`;
    this.cubeAt.classList.toggle('offered', Boolean(offered));
    return undefined;
  }

  /** The next spot in the direction of an arrow key, from the one that has the focus. */
  step(key) {
    const here = document.activeElement;
    if (!here?.classList.contains('spot')) return;
    const box = here.getBoundingClientRect();
    const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const away = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    let best = null;
    for (const spot of this.spot.values()) {
      if (spot === here || spot.getAttribute('aria-hidden')) continue;
      const to = spot.getBoundingClientRect();
      const dx = to.x + to.width / 2 - from.x;
      const dy = to.y + to.height / 2 - from.y;
      const along = dx * away[0] + dy * away[1];
      const aside = Math.abs(dx * away[1]) + Math.abs(dy * away[0]);
      if (along < 8) continue;
      const cost = along + 4 * aside;
      if (!best || cost < best.cost) best = { spot, cost };
    }
    if (best) this.focus(best.spot);
  }

  /** The spot for the Tab key: that of the rearmost of these points, else the last one that had the focus. */
  first(points) {
    const held = [...this.spot.values()].find((spot) => spot.getAttribute('tabindex') === '0');
    return points?.size ? this.enterAt(this.spot.get(this.keyOf(Math.max(...points)))) : held;
  }

  enterAt(spot) {
    for (const each of this.spot.values()) each.setAttribute('tabindex', each === spot ? '0' : '-1');
    return spot;
  }

  focus(spot) {
    this.enterAt(spot).focus();
  }
}

// Where checkers may enter later, those that were not hit are counted apart.
function onBar(state, side, n) {
  const waiting = Math.min(n, state.position.board.not_entered?.[side] ?? 0);
  return waiting ? t('{n}, not entered {waiting}', { n, waiting }) : n;
}

/** For each of the two dice, whether its number has been played. */
function usedNumbers(state) {
  const made = state.making?.moves || [];
  const [high, low] = state.roll;
  if (high === low) {
    const done = made.length + 4 - (state.part?.times ?? 4);
    return [done >= 2, done >= 4];
  }
  if (state.making?.complete && state.phase === 'played') return [true, true];
  const used = [false, false];
  for (const [from, to] of made) {
    const pips = from - to;
    const n = pips === high && !used[0] ? 0 : pips === low && !used[1] ? 1 : !used[0] && pips <= high ? 0 : 1;
    used[n] = true;
  }
  return used;
}

