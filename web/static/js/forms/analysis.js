// GNU Backgammon's analysis of the match: a button to begin, the progress, then the most expensive plays.

import { problem, show } from '../dialogs/dialog.js';
import { diagram } from '../board/diagram.js';
import { h } from '../lib/dom.js';
import { decimal, t, translated } from '../lib/words.js';

const ASK_MS = 1000;

/** Show the analysis's progress and result, updated as long as the dialog is open. */
export async function analysis() {
  const area = h('div', { id: 'analysis', class: 'analysis', 'aria-live': 'polite' });
  show(t('Analysis'), area);
  const ask = async (how = {}) => {
    const answer = await fetch('/api/analysis', { cache: 'no-store', ...how }).catch(() => null);
    const status = await answer?.json().catch(() => null);
    if (!area.isConnected) return;
    if (!answer?.ok) return void area.replaceChildren(failure(status, 'detail'), again());
    draw(status);
    if (status.state === 'running') setTimeout(ask, ASK_MS);
  };
  const begin = () => ask({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
  const button = (label) => h('button', { type: 'button', id: 'analyse', class: 'primary', onclick: begin }, label);
  const again = () => button(t('Try again'));

  function draw(status) {
    if (status.state === 'running') area.replaceChildren(progress(status));
    else if (status.state === 'failed') area.replaceChildren(failure(status, 'sentence'), again());
    else if (status.state === 'done') area.replaceChildren(...report(status.report), status.why ? '' : button(t('Analyse again')));
    else if (status.why) area.replaceChildren(h('p', {}, translated(status, 'why')));
    else area.replaceChildren(h('p', {}, t('GNU Backgammon checks every play and cube decision of this match. It takes a few minutes and runs in the background.')), button(t('Analyse')));
  }
  await ask();
}

function failure(status, field) {
  const shown = problem();
  shown.textContent = translated(status, field);
  return shown;
}

function progress({ done, games }) {
  return h(
    'label',
    { class: 'progress' },
    t('{done} of {games} games analysed', { done, games }),
    h('progress', { max: games, value: done }),
  );
}

function report(made) {
  const { players, figures, worst, illegal } = made;
  return [
    h(
      'table',
      { class: 'figures' },
      h('thead', {}, h('tr', {}, ['', t('Error rate'), t('Decisions'), t('Luck')].map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, players.map((name, n) => h(
        'tr',
        {},
        h('th', { scope: 'row' }, name),
        h('td', {}, figures[n].decisions ? decimal(figures[n].error_rate_memg, 1) : '–'),
        h('td', {}, String(figures[n].decisions)),
        h('td', {}, decimal(figures[n].luck_total, 2, true)),
      ))),
    ),
    h('p', { class: 'hint' }, t('The error rate is in thousandths of a point lost for each decision; luck is in points.')),
    h('h3', {}, worst.length ? t('The costliest plays') : t('No errors.')),
    h('ol', { class: 'worst' }, worst.map((play) => item(play, players))),
    ...listed(t('Cube decisions'), translated(made, 'cube')),
    ...listed(t('Left out because they were illegal'), illegal.map((one) => left(one, players))),
  ];
}

function left(one, players) {
  const game = t('Game {n}', { n: one.game });
  return `${game}, ${players[one.player]}, ${one.dice}: ${translated(one, 'play')}. ${translated(one, 'why')}`;
}

function item(play, players) {
  const roll = play.dice;
  const where = [t('Game {n}', { n: play.game }), players[play.player], roll.join('-')].join(', ');
  const named = [where, t('the position before the play')].join(': ');
  return h(
    'li',
    {},
    play.board ? diagram(play.board, { roll, named }) : null,
    h('p', { class: 'hint' }, where),
    h('p', { class: 'rolled-play' }, h('b', {}, play.played || t('no move')), ' ', h('span', { class: 'loss' }, `−${decimal(play.loss, 3)}`)),
    h('p', {}, t('better: {play}', { play: play.best })),
    play.picture ? h('img', { class: 'shot', src: `/pictures/${play.picture}`, alt: t('as the camera saw it'), loading: 'lazy' }) : null,
  );
}

function listed(title, lines) {
  return lines.length ? [h('h3', {}, title), h('ul', {}, lines.map((line) => h('li', {}, line)))] : [];
}
