// The spectators' page: the board, the ruling, the score and the history, without actions.

import { Board, narrow } from './board/board.js';
import { opensHistory } from './dialogs/forms.js';
import { openMenu } from './dialogs/menu.js';
import { heading, showLine } from './table/heading.js';
import { settle } from './lib/device.js';
import { Link } from './table/link.js';
import { history } from './table/lists.js';
import { applyTheme, prefer, prefs } from './lib/prefs.js';
import { announcement } from './table/say.js';
import { other } from './board/seats.js';
import { strip, tick } from './table/strips.js';
import { ROOM, isAcrossTheRoom, tv } from './table/tv.js';
import { lamps, verdict } from './table/verdict.js';
import { call } from './table/voice.js';

const at = (id) => document.getElementById(id);
const link = new Link(Number(document.body.dataset.beatMs));
const board = new Board(at('board'));
let announced = '';

const desk = {
  turn: () => {
    prefer('bottom', other(prefs.bottom));
    draw();
  },
};

function draw() {
  const state = link.state;
  if (!state) return;
  board.show(state, prefs.bottom);
  strip(at('strip-top'), state, other(prefs.bottom));
  strip(at('strip-bottom'), state, prefs.bottom);
  verdict(at('verdict'), state, undefined, isAcrossTheRoom(at('tv')) ? ROOM : undefined);
  tv(at('tv'), state);
  history(at('history'), state, opensHistory(() => link.state, desk));
  lamps(at('lamps'), state);
  heading(state);
  const words = Board.describe(state);
  if (at('position').textContent !== words) at('position').textContent = words;
  tick(document.body, state, link.now());
}

link.addEventListener('state', ({ detail: state }) => {
  draw();
  const now = announcement(state);
  if (now !== announced) at('live').textContent = now;
  announced = now;
  call(state);
});
showLine(link);
narrow.addEventListener('change', draw);
addEventListener('resize', draw);
at('menu').addEventListener('click', () => openMenu(link, desk));
setInterval(() => tick(document.body, link.state, link.now()), 250);
applyTheme();
settle();
link.open();
