// The summary's diagrams: the position before a play, with what was played and what was better, or before a cube decision.

import './page.js';
import { s } from '../lib/dom.js';
import { Board, compared, draw, movesIn } from './position.js';
import { t } from '../lib/words.js';

for (const figure of document.querySelectorAll('figure[data-play]')) {
  const { step, player, played, best, home, south } = JSON.parse(figure.dataset.play);
  const values = { name: player, cube: step.cube[2] ?? step.cube[0], score: `${step.score.south}-${step.score.north}` };
  const name = step.roll
    ? t('{name} to play {roll}; cube {cube}, score {score}', { ...values, roll: step.roll.join('-') })
    : t('{name} decides; cube {cube}, score {score}', values);
  const drawing = s('svg', { class: 'board', role: 'img', 'aria-label': name });
  const plays = step.roll ? compared(movesIn(played), movesIn(best || played)) : [];
  draw(new Board(drawing), step, { orientation: { home, south }, length: 0, cube: true }, step.on_roll, plays);
  figure.append(drawing);
}
