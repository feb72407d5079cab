// Caches the page's own files for times without a network. An answer from the network always comes first.

const SHELF = 'board-1';
const PAGES = ['/', '/watch', '/clock', '/text'];
const kept = (url) => url.origin === location.origin && (url.pathname.startsWith('/static/') || PAGES.includes(url.pathname));

self.addEventListener('install', (event) => {
  event.waitUntil(stock());
  self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || !kept(new URL(event.request.url))) return;
  event.respondWith(fetched(event.request));
});

/** Cache the pages that this visitor may open, with every file that they name. */
async function stock() {
  const shelf = await caches.open(SHELF);
  for (const page of PAGES) {
    const answer = await fetch(page, { cache: 'no-store' });
    if (!answer.ok || answer.redirected) continue;
    const text = await answer.clone().text();
    const files = [...text.matchAll(/(?:href|src)="(\/static\/[^"#]+)/g)].map((found) => found[1]);
    await shelf.addAll([...new Set([...files, '/static/icons.svg'])]);
    await shelf.put(page, answer);
  }
}

async function fetched(request) {
  const shelf = await caches.open(SHELF);
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) shelf.put(request, answer.clone());
    return answer;
  } catch (trouble) {
    const found = await shelf.match(request);
    if (found) return found;
    throw trouble;
  }
}
