// Keeps the page's own files for the moments without a network. Whatever the network answers comes first.

const SHELF = 'board-1';
const kept = (url) => url.origin === location.origin && (url.pathname.startsWith('/static/') || ['/', '/watch'].includes(url.pathname));

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || !kept(new URL(event.request.url))) return;
  event.respondWith(fetched(event.request));
});

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
