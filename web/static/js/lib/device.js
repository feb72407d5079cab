// Abilities of a page on a secure connection only: keep the screen on, be installed, open without a network.

import { t } from './words.js';

/** Whether the page comes over HTTPS or from this machine; over plain HTTP it works without these abilities. */
export const isSafe = () => window.isSecureContext;

const FILES = new URL(import.meta.url).pathname.split('/')[2]; // the page's files, by their version

let awake = true;
let kept = true;

/** Abilities missing in this browser even on a secure connection, as sentences. */
export function lacking() {
  return [
    awake ? '' : t('The screen may switch off by itself.'),
    kept ? '' : t('The page cannot be installed or opened without the network.'),
  ].filter(Boolean);
}

async function stayAwake() {
  if (document.hidden) return;
  try {
    await navigator.wakeLock.request('screen');
    awake = true;
  } catch {
    awake = false; // refused (a low battery, for instance) or unsupported: the screen may turn off, the page works on
  }
}

async function keepAtHand() {
  try {
    await navigator.serviceWorker.register(`/sw.js?of=${FILES}`);
  } catch {
    kept = false; // for instance because this device does not trust the certificate
  }
}

/** Keep the screen on while the page is shown, and keep its files for times without a network. */
export function settle() {
  if (!isSafe()) return;
  stayAwake();
  document.addEventListener('visibilitychange', stayAwake);
  keepAtHand();
}
