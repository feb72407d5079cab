// What every page of the archive does: the theme chosen on this device, and no file that is too large to be sent.

import { applyTheme } from '../lib/prefs.js';

applyTheme();

for (const field of document.querySelectorAll('input[type="file"][data-most]')) {
  field.addEventListener('change', () => {
    const large = [...field.files].some((file) => file.size > Number(field.dataset.most));
    field.setCustomValidity(large ? field.dataset.tooLarge : '');
    field.reportValidity();
  });
}
