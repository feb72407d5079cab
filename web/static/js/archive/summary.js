// The summary's diagrams: the position before a play, with what was played and what was better.

import './page.js';
import { s } from '../lib/dom.js';
import { Board, draw, movesIn } from './position.js';
import { t } from '../lib/words.js';

for (const figure of document.querySelectorAll('figure[data-play]')) {
  const { step, played, best, home, south } = JSON.parse(figure.dataset.play);
  const name = t('{name} to play {roll}; cube {cube}, score {score}', {
    name: step.players[step.on_roll], roll: step.roll.join('-'), cube: step.cube[0], score: `${step.score.south}-${step.score.north}`,
  });
  const drawing = s('svg', { class: 'board', role: 'img', 'aria-label': name });
  const plays = [[movesIn(played), 'played']];
  if (best && best !== played) plays.push([movesIn(best), 'best']);
  draw(new Board(drawing), step, { orientation: { home, south }, length: 0, cube: true }, step.on_roll, plays);
  figure.append(drawing);
}
