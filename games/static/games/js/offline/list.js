/** Lists the games that are kept on this device, the last first, and removes them.
 *
 * [data-kept-games]: the list; [data-kept-none]: shown where there is none; [data-kept-remove]: removes all;
 * [data-kept-elsewhere]: shown where this page stands for another, which was not kept. */

const CACHE = "atta-games-1";
const root = document.querySelector("[data-kept-list]");

async function found() {
  if (!("caches" in globalThis) || !(await caches.has(CACHE))) return [];
  const cache = await caches.open(CACHE);
  const lists = (await cache.keys()).map(({ url }) => url).filter((url) => url.endsWith("?kept"));
  const games = await Promise.all(lists.map(async (url) => ({ url, ...(await (await cache.match(url)).json()) })));
  return games.sort((one, other) => other.at - one.at);
}

function row({ url, title, ruleset, at }) {
  const link = Object.assign(document.createElement("a"), { href: url.replace("?kept", ""), textContent: title || url });
  const day = new Date(at).toLocaleDateString(document.documentElement.lang);
  const about = Object.assign(document.createElement("span"), { className: "quiet", textContent: ` ${ruleset} · ${day}` });
  const one = document.createElement("li");
  one.append(link, about);
  return one;
}

async function show() {
  const games = await found();
  root.querySelector("[data-kept-games]").replaceChildren(...games.map(row));
  root.querySelector("[data-kept-none]").hidden = games.length > 0;
  root.querySelector("[data-kept-remove]").hidden = games.length === 0;
}

root.querySelector("[data-kept-elsewhere]").hidden = location.pathname === root.dataset.keptList;
root.querySelector("[data-kept-remove]").addEventListener("click", () => caches.delete(CACHE).then(show));
show();
