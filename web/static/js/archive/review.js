// The review of a recording: each choice with the position after it.

import './page.js';
import { diagram } from '../board/diagram.js';

for (const button of document.querySelectorAll('[data-board]')) {
  const { board, home, south } = button.dataset;
  button.prepend(diagram(JSON.parse(board), { home, south }));
}

const here = document.querySelector('.reading [aria-current]');
if (here) {
  const list = here.closest('.list');
  list.scrollTop = here.offsetTop - (list.clientHeight - here.offsetHeight) / 2;
}
