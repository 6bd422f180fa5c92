/** Keeps score sheets, and games that wait to be uploaded, on this device. Every save names the version it changes, so that two tabs with the same sheet
 * never overwrite each other: the second one receives what was saved first. Other tabs are notified of every save. */

import { redraw } from "../redraw.js";
import * as agn from "./agn.js";

const NAME = "atta-score";
const SHEETS = "sheets";
const OUTBOX = "outbox";
const AGAIN = 15_000;
/** Who was signed in when this page was last opened with a network. */
const ACCOUNT = "atta:account";

function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function finished(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** Thrown when another tab has saved the sheet in the meantime. */
export class Overtaken extends Error {
  constructor(stored) {
    super("another tab has saved this sheet");
    this.stored = stored;
  }
}

export class Keeping {
  /** Opens the device's store; `onNews(id)` is called when another tab has saved or removed a sheet. */
  static async open(onNews) {
    const opening = indexedDB.open(NAME, 2);
    opening.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) opening.result.createObjectStore(SHEETS, { keyPath: "id" });
      opening.result.createObjectStore(OUTBOX, { keyPath: "key" });
    };
    return new Keeping(await answered(opening), onNews);
  }

  constructor(database, onNews) {
    this.database = database;
    this.tabs = new BroadcastChannel(NAME);
    this.tabs.onmessage = ({ data }) => onNews(data.id);
    database.onversionchange = () => database.close();
  }

  /** Lists all sheets, newest first. */
  async list() {
    const found = await answered(this.database.transaction(SHEETS).objectStore(SHEETS).getAll());
    return found.sort((one, other) => other.changed - one.changed);
  }

  read(id) {
    return answered(this.database.transaction(SHEETS).objectStore(SHEETS).get(id));
  }

  /** Saves a sheet as its next version and returns that. Throws `Overtaken` if that version already exists. */
  async write(data) {
    const transaction = this.database.transaction(SHEETS, "readwrite", { durability: "strict" });
    const done = finished(transaction);
    const store = transaction.objectStore(SHEETS);
    const stored = await answered(store.get(data.id));
    if (stored && stored.version !== data.version) {
      await done;
      throw new Overtaken(stored);
    }
    store.put({ ...data, version: data.version + 1 });
    await done;
    this.tabs.postMessage({ id: data.id });
    return data.version + 1;
  }

  async remove(id) {
    const transaction = this.database.transaction(SHEETS, "readwrite");
    transaction.objectStore(SHEETS).delete(id);
    await finished(transaction);
    this.tabs.postMessage({ id });
  }

  /** Lists the games that wait to be uploaded, in the order in which they were put there. */
  async waiting() {
    const found = await answered(this.database.transaction(OUTBOX).objectStore(OUTBOX).getAll());
    return found.sort((one, other) => one.since - other.since);
  }

  enqueue(item) {
    return this.changeOutbox((store) => store.put(item));
  }

  dequeue(key) {
    return this.changeOutbox((store) => store.delete(key));
  }

  async changeOutbox(change) {
    const transaction = this.database.transaction(OUTBOX, "readwrite", { durability: "strict" });
    change(transaction.objectStore(OUTBOX));
    await finished(transaction);
  }
}

/** Games waiting to be uploaded: kept on this device until the site has taken each of them, once, however often the
 * network comes and goes. By its key the site knows a game that it has taken already.
 *
 * `account` is the number of the account that uploads them, "" for a visitor; undefined on the page that is kept for use
 * without a network, which is the same for all: then it is the last that was known.
 *
 * new Outbox(keeping, {account, page, address, onNews(item, {page, refused, other, waits, isNow})}) */
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

/** The sheets kept on this device: to open and delete them, and to import them from a text or a file.
 *
 * new Shelf(root, {texts, plural, onNew(), onOpen(sheet), onTexts(texts), onRemove(id)}) */
export class Shelf {
  constructor(root, options) {
    this.options = options;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.dialog = this.part("paste-dialog");
    this.part("new").addEventListener("click", () => options.onNew());
    this.part("paste").addEventListener("click", () => this.paste());
    this.part("file").addEventListener("change", () => this.openFile());
    this.part("open").addEventListener("keydown", (event) => this.fileKey(event));
    this.dialog.addEventListener("close", () => this.pasted());
    this.part("sheets").addEventListener("click", ({ target }) => this.clicked(target.closest("button")));
  }

  /** Shows the sheets; the ids of some that wait to be uploaded are in `waiting`. */
  draw(sheets, current, waiting) {
    this.sheets = sheets;
    this.waiting = waiting;
    this.part("no-sheets").hidden = sheets.length > 0;
    redraw(this.part("sheets"), sheets.map((sheet) => this.row(sheet, sheet.id === current)));
  }

  row(sheet, current) {
    const { texts, plural } = this.options;
    const row = document.createElement("li");
    row.dataset.sheet = sheet.id;
    if (current) row.className = "current";
    const line = sheet.lines.find(({ id }) => id === sheet.current) ?? sheet.lines[0];
    const names = this.names(sheet, line.text);
    const open = button("line-open", names || texts.untitled, { open: sheet.id });
    if (current) open.setAttribute("aria-current", "true");
    const count = sheet.draft ? texts.inSetup : plural(texts.actions, agn.parse(line.text).actions.length);
    const when = new Date(sheet.changed).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    const game = sheet.draft ? "" : `${agn.tag(line.text, "Game") ?? ""}, `;
    const facts = document.createElement("span");
    facts.className = "quiet";
    facts.textContent = [`${game}${count}`, when, ...this.upload(sheet)].join(" · ");
    row.append(open, facts, sheet.id === this.unsure ? this.sure(sheet.id) : this.drop(sheet.id, names));
    return row;
  }

  upload({ id, uploaded }) {
    const { texts } = this.options;
    if (this.waiting.has(id)) return [texts.uploadWaiting];
    return uploaded ? [texts.uploadedAt] : [];
  }

  drop(id, names) {
    const { texts } = this.options;
    const drop = button("line-drop", "×", { drop: id });
    drop.setAttribute("aria-label", `${texts.dropSheet}: ${names || texts.untitled}`);
    return drop;
  }

  sure(id) {
    return button("line-sure", this.options.texts.sureSheet, { sure: id });
  }

  names({ draft }, text) {
    if (draft) return draft.seats.map(({ name }) => name).filter(Boolean).join(", ");
    const place = /^(?:Red|Yellow|Orange|Brown|Black)$/;
    return agn.parse(text).tags.filter(({ name }) => place.test(name)).map(({ value }) => value).join(", ");
  }

  /** Opens a sheet; deletes one only on a second press, because that cannot be undone. */
  clicked(pressed) {
    if (pressed) this.unsure = pressed.dataset.drop;
    if (pressed?.dataset.open) this.options.onOpen(this.sheets.find(({ id }) => id === pressed.dataset.open));
    else if (pressed?.dataset.sure) this.options.onRemove(pressed.dataset.sure);
    else if (pressed?.dataset.drop) {
      const sure = this.sure(this.unsure);
      pressed.replaceWith(sure);
      sure.focus();
    }
  }

  paste() {
    this.part("paste-text").value = "";
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }

  pasted() {
    if (this.dialog.returnValue === "open") this.options.onTexts(agn.games(this.part("paste-text").value));
  }

  fileKey(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    this.part("file").click();
  }

  async openFile() {
    const [file] = this.part("file").files;
    if (!file) return;
    const text = await file.text();
    this.part("file").value = "";
    this.options.onTexts(agn.games(text));
  }
}

function button(className, text, data) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className, textContent: text });
  Object.assign(made.dataset, data);
  return made;
}
