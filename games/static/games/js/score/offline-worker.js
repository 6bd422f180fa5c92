/** The service worker of the score sheet, served as /score/sw.js: answers with what js/score/offline.js has kept on this
 * device. A file whose address says its content comes from there first, a page only where the site does not answer. */

const CACHE = "atta-score";
const FIXED = /\.[0-9a-f]{12}\.\w+$|\/vendor\/pyodide-|\/score\/engine\.js\?/;
/** Milliseconds after which the page that was kept is shown instead of waiting on. */
const PATIENCE = 4000;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, href } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (FIXED.test(href)) event.respondWith(file(request));
});

async function kept(address) {
  const cache = await caches.open(CACHE);
  return cache.match(address, { ignoreVary: true });
}

async function file(request) {
  return (await kept(request.url)) ?? fetch(request);
}

async function page(request) {
  const here = await kept(new URL(request.url).pathname);
  if (!here) return fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, here));
  const fetched = fetch(request).then((answer) => (answer.status < 500 ? answer : here));
  return Promise.race([fetched, late]).catch(() => here);
}
