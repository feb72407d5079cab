// The players of a chouette: accounts, cubes, and each partner's own double and answer.

import { h } from '../lib/dom.js';
import { signed } from '../table/say.js';
import { t } from '../lib/words.js';

const ROLES = () => ({ box: t('box'), captain: t('captain'), partner: '' });
const OWNERS = () => ({ box: t('the box may turn it'), team: t('the partner may turn it') });

/** The table of the players; a partner's row has the buttons for his cube. */
export function players(state, desk) {
  const may = (type) => state.may.includes(type);
  const button = (type, kind, label, one, body) =>
    h('button', { type: 'button', class: kind, 'data-act': type, 'aria-label': `${one.name}: ${label}`, onclick: () => desk.act({ type, ...body }) }, label);
  const deeds = (one) => [
    one.asked && may('take') && button('take', 'primary', t('Take'), one, { partner: one.name }),
    one.asked && may('pass') && button('pass', 'danger', t('Pass'), one, { partner: one.name }),
    one.may_double && may('double') && button('double', '', t('Double'), one, { partners: [one.name] }),
  ];
  const cube = (one) => one.cube && (one.won === null
    ? h('span', { class: one.cube.owner ? 'owned' : '', title: one.cube.owner ? OWNERS()[one.cube.owner] : t('both may turn it') },
      one.cube.owner === 'box' ? '▲ ' : one.cube.owner === 'team' ? '▼ ' : '', String(one.cube.value), h('span', { class: 'hidden' }, ` ${one.cube.owner ? OWNERS()[one.cube.owner] : t('both may turn it')}`))
    : h('span', { title: t('points of this game') }, `(${signed(one.won)})`));
  return h('table', { class: 'chouette' },
    h('thead', { class: 'hidden' }, h('tr', {}, [t('Player'), t('Cube'), t('Points'), t('What to do')].map((label) => h('th', { scope: 'col' }, label)))),
    h('tbody', {}, state.chouette.map((one) => h('tr', { 'data-name': one.name, class: one.asked ? 'asked' : '' },
      h('th', { scope: 'row' }, one.name, ' ', h('small', {}, ROLES()[one.role])),
      h('td', {}, cube(one)),
      h('td', { class: 'points' }, signed(one.account)),
      h('td', { class: 'deeds' }, deeds(one))))));
}
