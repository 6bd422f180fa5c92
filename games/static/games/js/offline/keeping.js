/** Keeps the games last looked at on this device, so that they open without a network; js/offline/worker.js answers with
 * them. replay.js loads it some seconds after a game's page.
 *
 * A game is kept as the site sends it to visitors without an account: its page, the frames, the parts of the moves, and
 * all files. PAGE?kept lists the addresses that it needs; what no kept game needs is removed. */

const CACHE = "atta-games-1";
const MOST = 50;
/** When somebody has last signed out on this device: js/score/forgetting.js. */
const SIGNED_OUT = "atta:signed-out";
/** Actions of the longest game that is kept: it is fetched in parts, a request for each. */
const LONGEST = 2000;

/** Whether somebody has signed out since this page was opened, in another tab: what they looked at is not kept. */
const isOver = () => Number(localStorage.getItem(SIGNED_OUT)) > performance.timeOrigin;
const full = (address) => new URL(address, location).href;
const partsOf = (last, step) => Array.from({ length: Math.ceil((last + 1) / step) }, (_, at) => at * step);

class Gone extends Error {}

/** Fetches what a visitor without an account gets, in the language of this page. */
async function anonymous(address) {
  const headers = { "Accept-Language": document.documentElement.lang };
  const answer = await fetch(address, { cache: "no-store", credentials: "omit", headers });
  if ([403, 404, 410].includes(answer.status)) throw new Gone(address);
  if (!answer.ok || answer.redirected) throw new Error(`${answer.status} for ${address}`);
  return answer;
}

async function parsed(answer) {
  return new DOMParser().parseFromString(await answer.clone().text(), "text/html");
}

/** The files that a page names, and the fonts that this one has loaded. */
function filesOf(page) {
  const named = page.querySelectorAll("head link[rel=stylesheet], head link[rel=icon], head link[rel=preload], head link[rel=modulepreload], script[src], img[src]");
  const addresses = [...named].map((one) => full(one.getAttribute("href") ?? one.getAttribute("src")));
  const fonts = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => /\.woff2$/.test(name));
  return [...new Set([...addresses, ...fonts])].filter((address) => address.startsWith(location.origin));
}

/** What a game's page fetches while it is stepped through. */
function stepsOf(page, { dataset: { last, framesUrl, framesStep, movesStep } }) {
  const frames = partsOf(Number(last), Number(framesStep)).map((start) => `${full(framesUrl)}?start=${start}`);
  const moves = Number(last) > Number(movesStep) ? partsOf(Number(last) - 1, Number(movesStep)) : [];
  return [...frames, ...moves.map((before) => `${page}?ply=${before + 1}&part=moves`)];
}

async function putAll(cache, addresses) {
  for (const address of addresses) await cache.put(address, await anonymous(address));
}

async function missing(cache, addresses) {
  const there = new Set((await cache.keys()).map(({ url }) => url));
  return addresses.filter((address) => !there.has(address));
}

/** Keeps the page that lists the kept games, in the language of this page. :returns: what it needs. */
async function keepAbout(cache, about) {
  const before = await cache.match(about, { ignoreVary: true });
  const isSame = before && (await parsed(before)).documentElement.lang === document.documentElement.lang;
  const answer = isSame ? before : await anonymous(about);
  const files = filesOf(await parsed(answer));
  await putAll(cache, await missing(cache, files));
  if (!isSame) await cache.put(about, answer);
  return [about, ...files];
}

async function keepGame(cache, address, { keptAbout, hides }) {
  const answer = await anonymous(hides === undefined ? address : `${address}?results=hide`);
  const page = await parsed(answer);
  const replay = page.querySelector("[data-replay]");
  if (!replay || Number(replay.dataset.last) > LONGEST) return false;
  const files = [...filesOf(page), import.meta.url];
  const steps = stepsOf(address, replay);
  const before = await cache.match(address, { ignoreVary: true });
  const isSame = before && before.headers.get("ETag") === answer.headers.get("ETag");
  const needs = [address, ...steps, ...files, ...(await keepAbout(cache, full(keptAbout)))];
  await putAll(cache, [...(await missing(cache, files)), ...(isSame ? await missing(cache, steps) : steps)]);
  await cache.put(address, answer);
  const title = [...page.querySelectorAll("h1 bdi")].map((name) => name.textContent).join(", ");
  const ruleset = page.querySelector(".eyebrow")?.textContent.replace(/\s+/g, " ").trim() ?? "";
  await cache.put(`${address}?kept`, Response.json({ at: Date.now(), needs, ruleset, title }));
  return true;
}

/** Removes all but the games last looked at, and what they need. */
async function tidy(cache) {
  const lists = (await cache.keys()).map(({ url }) => url).filter((url) => url.endsWith("?kept"));
  const games = await Promise.all(lists.map(async (url) => ({ url, ...(await (await cache.match(url)).json()) })));
  const kept = games.sort((one, other) => other.at - one.at).slice(0, MOST);
  const needed = new Set(kept.flatMap(({ url, needs }) => [url, ...needs]));
  for (const { url } of await cache.keys()) if (!needed.has(url)) await cache.delete(url, { ignoreVary: true });
}

/** Keeps the game of a page; is fulfilled when the game is kept, or is not. */
export async function keep(root) {
  if (!("serviceWorker" in navigator) || navigator.connection?.saveData || isOver()) return;
  if (!(await navigator.serviceWorker.register(root.dataset.keptWorker))) return;
  const [cache, address] = [await caches.open(CACHE), location.origin + location.pathname];
  const isKept = await navigator.locks.request(CACHE, async () => {
    try {
      return await keepGame(cache, address, root.dataset);
    } catch (error) {
      if (error instanceof Gone) await cache.delete(`${address}?kept`);
      return false;
    } finally {
      await tidy(cache);
    }
  });
  document.querySelectorAll("[data-kept]").forEach((part) => (part.hidden = !isKept));
}
