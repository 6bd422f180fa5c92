/** The service worker of games, served as /games/sw.js: where the site does not answer, it answers with what
 * js/offline/keeping.js has kept on this device. */

const CACHE = "atta-games-1";
const FIXED = /\.[0-9a-f]{12}\.\w+$/;
/** Milliseconds after which what was kept is shown instead of waiting on. */
const PATIENCE = 4000;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(begin()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event, address));
  else if (FIXED.test(address.pathname)) event.respondWith(file(request));
  else if (address.searchParams.get("part") === "moves") event.respondWith(moves(address).then((here) => soonOr(fetch(request), here)));
  else if (address.pathname.endsWith("/frames")) event.respondWith(kept(address.href).then((here) => soonOr(fetch(request), here)));
});

async function begin() {
  for (const name of await caches.keys()) if (name.startsWith("atta-games-") && name !== CACHE) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function kept(address) {
  const cache = await caches.open(CACHE);
  return cache.match(address, { ignoreVary: true });
}

async function file(request) {
  return (await kept(request.url)) ?? fetch(request);
}

/** The part of the moves around a ply: the last one that begins before it. */
async function moves({ origin, pathname, searchParams }) {
  const cache = await caches.open(CACHE);
  const parts = (await cache.keys()).map(({ url }) => new URL(url)).filter((one) => one.pathname === pathname && one.searchParams.has("part"));
  const firsts = parts.map((one) => Number(one.searchParams.get("ply"))).filter((first) => first <= Math.max(1, searchParams.get("ply")));
  return kept(`${origin}${pathname}?ply=${Math.max(...firsts)}&part=moves`);
}

/** A page; in place of one that was not kept, that with the list of those that were. A kept game that the site does not
 * show any more is removed, even if its answer comes late. */
async function page(event, { origin, pathname }) {
  const here = await kept(origin + pathname);
  const answer = Promise.resolve(event.preloadResponse).then((early) => early ?? fetch(event.request));
  const isGone = ({ status }) => here && [403, 404, 410].includes(status);
  event.waitUntil(answer.then((one) => isGone(one) && forget(pathname)).catch(() => {}));
  try {
    return await soonOr(answer, here);
  } catch (error) {
    const list = await kept(new URL("offline/", self.registration.scope).href);
    if (!list) throw error;
    return list;
  }
}

/** The site's answer; what is kept where there is none in time, or only that the site is out of order. */
async function soonOr(answer, here) {
  if (!here) return answer;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, here));
  const sound = answer.then((one) => (one.status < 500 ? one : here));
  return Promise.race([sound, late]).catch(() => here);
}

/** Removes a game that is private or deleted by now. */
async function forget(pathname) {
  const cache = await caches.open(CACHE);
  const isOf = ({ url }) => new URL(url).pathname.includes(pathname);
  for (const request of (await cache.keys()).filter(isOf)) await cache.delete(request.url, { ignoreVary: true });
}
