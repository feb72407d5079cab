// What every page of the archive does: the theme chosen on this device.

import { applyTheme } from '../lib/prefs.js';

applyTheme();
