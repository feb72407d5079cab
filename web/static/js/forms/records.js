// The running match's record in the formats of other programs.

import { show } from '../dialogs/dialog.js';
import { h, icon } from '../lib/dom.js';
import { t } from '../lib/words.js';

/** Links to the running match's record in the formats of other programs. */
export function records() {
  const kinds = [['mat', t('Match file (gnubg, XG)')], ['sgf', t('SGF (gnubg)')], ['ogxm', t('OGXM (signed)')], ['json', t('JSON (complete)')], ['zip', t('Archive with pictures')]];
  show(t('Save the record'), h('div', { class: 'menu' }, kinds.map(([kind, label]) =>
    h('a', { class: 'button', href: `/export/${kind}`, download: true }, icon('save'), label))));
}
