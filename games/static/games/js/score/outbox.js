/** Games waiting to be uploaded: kept on this device until the site has taken each of them, once, however often the
 * network comes and goes. By its key the site knows a game that it has taken already.
 *
 * `account` is the number of the account that uploads them, "" for a visitor; undefined on the page that is kept for use
 * without a network, which is the same for all: then it is the last that was known.
 *
 * new Outbox(keeping, {account, page, address, onNews(item, {page, refused, other, waits, isNow})}) */

const AGAIN = 15_000;
/** Who was signed in when this page was last opened with a network. */
const ACCOUNT = "atta:account";

export class Outbox {
  constructor(keeping, options) {
    this.keeping = keeping;
    this.options = { ...options, account: lastKnown(options.account) };
    window.addEventListener("online", () => this.send());
  }

  /** Keeps a game with its options, then tries to send it; one that waits already is not kept twice. */
  async add(added) {
    const game = { ...added, account: this.options.account };
    const item = (await this.keeping.waiting()).find((one) => isSame(one, game)) ?? { ...game, key: crypto.randomUUID(), since: Date.now() };
    await this.keeping.enqueue(item);
    this.adding = item.key;
    await this.send();
    this.adding = null;
  }

  /** Sends what waits, one tab at a time; what does not get through is tried again. */
  async send() {
    clearTimeout(this.again);
    await navigator.locks.request("atta-outbox", async () => {
      for (const item of await this.keeping.waiting()) {
        const news = await this.sendOne(item).catch(() => ({ waits: true }));
        if (news.page || news.refused) await this.keeping.dequeue(item.key);
        this.options.onNews(item, { ...news, isNow: item.key === this.adding });
        if (news.waits) this.again = setTimeout(() => this.send(), AGAIN);
      }
    });
  }

  /** Uploads a game as the form does. */
  async sendOne(item) {
    const now = await this.fresh();
    if (now.account !== item.account) return { other: true };
    const answer = await fetch(this.options.address, { method: "POST", headers: { "Idempotency-Key": item.key }, body: formOf(item, now.token) });
    if (answer.redirected && answer.ok) return { page: answer.url };
    if (answer.status === 409 || answer.status === 429 || answer.status >= 500) return { waits: true };
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    return { refused: found.querySelector(".errorlist")?.textContent.trim() || String(answer.status) };
  }

  /** Who is signed in now, and what proves that a page of this site asks. */
  async fresh() {
    const answer = await fetch(this.options.page, { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return { account: page.querySelector("[data-score]").dataset.account, token: page.querySelector("[name=csrfmiddlewaretoken]").value };
  }
}

function lastKnown(account) {
  if (account !== undefined) localStorage.setItem(ACCOUNT, account);
  return localStorage.getItem(ACCOUNT) ?? "";
}

function isSame(one, other) {
  return ["account", "sheet", "text", "options"].every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

function formOf({ text, options }, token) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...options, text, csrfmiddlewaretoken: token })) form.append(name, value);
  return form;
}
