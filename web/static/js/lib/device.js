// What a browser does for a page on a safe connection only: stay awake, be installed, open without a network.

import { t } from './words.js';

/** HTTPS or this very machine; over plain HTTP the page works, without these comforts. */
export const isSafe = () => window.isSecureContext;

let awake = true;
let kept = true;

/** What this browser does not do for the page even so, in sentences. */
export function lacking() {
  return [
    awake ? '' : t('The screen may go dark by itself.'),
    kept ? '' : t('The page cannot be installed or opened without the network.'),
  ].filter(Boolean);
}

async function stayAwake() {
  if (document.hidden) return;
  try {
    await navigator.wakeLock.request('screen');
    awake = true;
  } catch {
    awake = false; // refused, with a low battery for instance, or unknown: the screen may go dark, the page goes on
  }
}

async function keepAtHand() {
  try {
    await navigator.serviceWorker.register('/sw.js');
  } catch {
    kept = false; // a certificate that this device does not trust, for instance
  }
}

/** Keep the screen on while the page is shown, and the page at hand while the network is away. */
export function settle() {
  if (!isSafe()) return;
  stayAwake();
  document.addEventListener('visibilitychange', stayAwake);
  keepAtHand();
}
