/** Keeps the score sheet on this device, so that it opens and answers without a network: the page, its files and the
 * engine. js/score/offline-worker.js answers with them.
 *
 * new Offline(root, {texts}) shows how far it is in [data-offline-says]; a reader who saves data is asked first,
 * by the button [data-offline-keep]. */

const CACHE = "atta-score";
const PYTHON = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"];

export class Offline {
  constructor(root, { texts }) {
    this.addresses = root.dataset;
    this.texts = texts;
    this.says = root.querySelector("[data-offline-says]");
    this.button = root.querySelector("[data-offline-keep]");
    this.button.addEventListener("click", () => this.keep());
  }

  async begin() {
    if (!("serviceWorker" in navigator)) {
      this.say(this.texts.offlineNever);
      return;
    }
    this.button.hidden = !navigator.connection?.saveData || (await this.isKept());
    if (this.button.hidden) await this.keep();
  }

  say(text) {
    this.says.textContent = text;
  }

  async isKept() {
    return (await missing(await caches.open(CACHE), [...this.files(), ...this.pages()])).length === 0;
  }

  /** Keeps what is missing, then the pages that need it, and removes what earlier versions needed. */
  async keep() {
    this.button.hidden = true;
    try {
      if (!(await navigator.serviceWorker.register(this.addresses.offlineWorker))) throw new Error("no service worker");
      const cache = await caches.open(CACHE);
      const wanting = await missing(cache, this.files());
      for (const [done, address] of wanting.entries()) {
        this.say(this.texts.offlineKeeping.replace("{n}", Math.round((100 * done) / wanting.length)));
        await cache.put(address, await fetched(address));
      }
      await this.keepPages(cache);
      const wanted = new Set([...this.files(), ...this.pages()]);
      for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
      this.say(this.texts.offlineKept);
    } catch {
      this.say((await this.isKept()) ? this.texts.offlineKept : this.texts.offlineNotKept);
    }
  }

  /** Keeps the pages as the site sends them to visitors without an account: they name nobody, for others may open them next.
   * Not when the site was updated since: then they need other files, kept together with them when this page is reloaded. */
  async keepPages(cache) {
    const anonymous = { cache: "no-store", credentials: "omit", headers: { "Accept-Language": document.documentElement.lang } };
    const found = await Promise.all(this.pages().map((address) => fetched(`${address}?kept`, anonymous)));
    for (const page of found) if (!this.hasAllOf(await page.clone().text())) throw new Error("the site was updated");
    for (const [at, address] of this.pages().entries()) await cache.put(address, found[at]);
  }

  /** Whether everything that a page names is among the files of this one. */
  hasAllOf(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const named = [...page.querySelectorAll("head link[href], script[src]")].map((one) => one.getAttribute("href") ?? one.getAttribute("src"));
    const { archive, worker } = page.querySelector("[data-score]")?.dataset ?? {};
    const files = new Set(this.files());
    return [...named, archive, worker].filter(Boolean).map(full).every((address) => files.has(address));
  }

  pages() {
    return [this.addresses.page, this.addresses.about].map(full);
  }

  files() {
    const { python, archive, worker } = this.addresses;
    const named = document.querySelectorAll("head link[href], script[src], img[src]");
    const here = [...named].map((one) => one.href || one.src).filter((address) => address.startsWith(location.origin));
    return [...new Set([...here, ...fonts(), ...[archive, worker, ...PYTHON.map((name) => python + name)].map(full)])];
  }
}

const full = (address) => new URL(address, location).href;

/** The fonts that the style sheets name, of which a page loads those that it needs. */
function fonts() {
  const faces = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule).map((rule) => [rule, sheet.href]));
  const files = faces.map(([rule, base]) => [/url\("?(.*?)"?\)/.exec(rule.style.getPropertyValue("src")), base]);
  return files.filter(([found]) => found).map(([found, base]) => new URL(found[1], base).href);
}

async function missing(cache, addresses) {
  const there = new Set((await cache.keys()).map(({ url }) => url));
  return addresses.filter((address) => !there.has(address));
}

async function fetched(address, how = {}) {
  const answer = await fetch(address, how);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}
