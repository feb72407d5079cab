// Caches the page's own files for times without a network. An answer from the network always comes first.
// Its address names the files' version (lib/device.js), so that a new version has a worker and a shelf of its own.

const SHELF = `board-${new URL(location.href).searchParams.get('of')}`;
const PAGES = ['/', '/watch', '/clock', '/text'];
const kept = (url) => url.origin === location.origin && (url.pathname.startsWith('/static/') || PAGES.includes(url.pathname));

self.addEventListener('install', (event) => {
  event.waitUntil(stock());
  self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(tidy().then(() => self.clients.claim())));
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
    await shelf.addAll([...new Set(files)]);
    await shelf.put(page, answer);
  }
}

/** Drop the shelves of other versions. */
async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELF).map((name) => caches.delete(name)));
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
