// The join codes, with their QR codes.

import { ask, problem, show } from '../dialogs/dialog.js';
import { copy } from '../lib/copy.js';
import { h, icon } from '../lib/dom.js';
import { nameOf } from '../board/seats.js';
import { t, translated } from '../lib/words.js';

const ROLES = (state) => ({
  viewer: t('Spectator'),
  south: t('Player: {name}', { name: nameOf(state, 'south') }),
  north: t('Player: {name}', { name: nameOf(state, 'north') }),
  scorekeeper: t('Scorekeeper'),
  director: t('Director'),
});

/** The join codes that this visitor may hand out, with their QR codes; `made`, the link of a new one, is brought into view. */
export async function joins(state, desk, made = '') {
  const answer = await fetch('/api/joins', { cache: 'no-store' });
  if (!answer.ok) return;
  const { joins: list } = await answer.json();
  const trouble = problem();
  const names = ROLES(state);
  const before = new Map();
  const nth = (name) => before.set(name, (before.get(name) ?? 0) + 1).get(name);
  const mine = document.body.dataset.role === 'director' ? Object.keys(names) : ['viewer', 'south', 'north'];
  const issue = async (name) => {
    const seat = name === 'south' || name === 'north' ? name : null;
    const body = JSON.stringify(seat ? { role: 'player', seat } : { role: name });
    const given = await fetch('/api/joins', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    const issued = await given.json();
    if (given.ok) return void joins(state, desk, issued.link);
    trouble.textContent = translated(issued, 'detail');
    trouble.scrollIntoView({ block: 'nearest' });
  };
  show(
    t('Invite others'),
    h('p', { class: 'hint' }, t('Scan a code with the phone’s camera, or open its link.')),
    h(
      'ul',
      { class: 'joins' },
      list.map((one) => {
        const role = names[one.seat || one.role];
        const chosen = one.through ? t('{role}, by the table’s code', { role }) : role;
        const name = one.label === 'table' ? t('The table’s code') : chosen;
        const n = nth(name);
        return h(
          'li',
          {},
          h('b', {}, n > 1 ? `${name} (${n})` : name),
          h('img', { src: one.qr, alt: t('QR code of the join link'), width: 180, height: 180 }),
          h('code', {}, whole(one.link)),
          h('button', { type: 'button', class: 'quiet copy', onclick: ({ currentTarget }) => copied(one.link, currentTarget) }, t('Copy')),
          one.own ? h('small', {}, t('this device’s code')) : revoking(one, state, desk, trouble),
        );
      }),
    ),
    trouble,
    h('fieldset', {}, h('legend', {}, t('New code for')), h('div', { class: 'choices' }, mine.map((name) =>
      h('button', { type: 'button', id: `issue-${name}`, onclick: () => issue(name) }, icon('plus'), names[name])))),
  );
  const card = document.querySelectorAll('.joins li')[list.findIndex((one) => one.link === made)];
  card?.scrollIntoView({ block: 'center' });
  card?.querySelector('.copy').focus({ preventScroll: true });
}

// A link that breaks, where it has to, before its code.
const whole = (link) => link.split(/(?=\/join\/)/).flatMap((part, n) => (n ? [h('wbr'), part] : [part]));

async function copied(link, pressed) {
  await copy(link);
  pressed.textContent = t('Copied.');
}

// Revoking a code ends its visitors' access at once, so it needs a confirmation.
function revoking(one, state, desk, trouble) {
  const place = h('div', { class: 'revoking' });
  const revoke = async () => {
    const answer = await desk.act({ type: 'revoke', code: one.code }, { quiet: true });
    if (answer.ok) return void joins(state, desk);
    trouble.textContent = translated(answer, 'detail');
    trouble.scrollIntoView({ block: 'nearest' });
  };
  place.append(h('button', { type: 'button', class: 'quiet revoke', onclick: () =>
    ask(place, one.label === 'table' ? t('The printed code stops working, and everyone who came in with it, players too, will be disconnected.') : t('Everyone who joined with this code will be disconnected.'), t('Revoke'), revoke) }, icon('close'), t('Revoke')));
  return place;
}
