/** When somebody signs out or deletes the account, the score sheet that is kept on this device for use without a network
 * is replaced by one that names nobody: the next reader may be another person.
 *
 * <form data-signs-out="ADDRESS ADDRESS"> names the pages that are kept. */

const CACHE = "atta-score";

for (const form of document.querySelectorAll("[data-signs-out]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await forget(form.dataset.signsOut.split(" ")).catch(() => {});
    form.submit();
  });
}

async function forget(pages) {
  if (!(await globalThis.caches?.has(CACHE))) return;
  const cache = await caches.open(CACHE);
  const kept = [];
  for (const page of pages) if (await cache.delete(page, { ignoreVary: true })) kept.push(page);
  await Promise.all(kept.map((page) => keep(cache, page)));
}

async function keep(cache, page) {
  const headers = { "Accept-Language": document.documentElement.lang };
  const answer = await fetch(page, { credentials: "omit", cache: "no-store", headers, signal: AbortSignal.timeout(5000) });
  if (answer.ok && (await hasAllOf(cache, await answer.clone().text()))) await cache.put(page, answer);
}

/** Whether all that a page names is kept; after an update of the site it names other files. */
async function hasAllOf(cache, text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const named = [...page.querySelectorAll("head link[href], script[src]")].map((one) => one.getAttribute("href") ?? one.getAttribute("src"));
  const { archive, worker } = page.querySelector("[data-score]")?.dataset ?? {};
  const found = await Promise.all([...named, archive, worker].filter(Boolean).map((address) => cache.match(address)));
  return found.every(Boolean);
}
