// What a browser does for a page on a safe connection only: stay awake, be installed, open without a network.

/** HTTPS or this very machine; over plain HTTP the page works, without these comforts. */
export const isSafe = () => window.isSecureContext;

async function stayAwake() {
  if (!navigator.wakeLock || document.hidden) return;
  try {
    await navigator.wakeLock.request('screen');
  } catch {
    // refused, with a low battery for instance: the screen may go dark, the page goes on
  }
}

/** Keep the screen on while the page is shown, and the page at hand while the network is away. */
export function settle() {
  if (!isSafe()) return;
  stayAwake();
  document.addEventListener('visibilitychange', stayAwake);
  navigator.serviceWorker?.register('/sw.js').catch(() => {});
}
