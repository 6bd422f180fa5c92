/** The score sheet. The text is authoritative: clicks change it, and the board shows the server's reading of it. All
 * changes are kept on the device at once; see js/score/ for the parts, which know nothing of each other. It is long
 * because everything that passes between them goes through here. */

import { Board } from "./board.js";
import { Engine } from "./engine/engine.js";
import { Laying } from "./laying.js";
import * as agn from "./score/agn.js";
import { Editor } from "./score/editor.js";
import { Keeping, Outbox, Overtaken, Shelf } from "./score/keeping.js";
import { Offline } from "./score/offline.js";
import { Dock, Moves, Stage, Tabs } from "./score/panels.js";
import { Asking } from "./score/positions.js";
import { SetUp } from "./score/setup.js";
import { Sheet } from "./score/sheet.js";

const root = document.querySelector("[data-score]");
const part = (name) => root.querySelector(`[data-${name}]`);
const read = (name) => JSON.parse(document.getElementById(`score-${name}`).textContent);
const [texts, rulesets, rules] = ["texts", "rulesets", "rules"].map(read);
const language = document.documentElement.lang;
const oneOrMany = new Intl.PluralRules(language);
const TYPING_PAUSE = 120;
/** A text that another page of this tab wants to be opened here. */
const OPENED = "atta:opened";

function plural([one, many], n) {
  return (oneOrMany.select(n) === "one" ? one : many).replace("{n}", n);
}

class Score {
  async start() {
    this.asking = new Asking({
      token: part("upload-form").querySelector("[name=csrfmiddlewaretoken]").value,
      engine: new Engine(root),
      version: root.dataset.version,
      onAway: (kind) => this.away(kind),
      onOther: () => this.dock.notice(texts.otherVersion),
    });
    this.setup = new SetUp(part("setup"), { rulesets, texts, onChange: (draft) => this.drafted(draft) });
    this.laying = new Laying(part("laying"), part("laying-picker"), {
      texts,
      ask: (slug, body) => new Promise((resolve) => this.asking.ask(`/api/v1/setups/${slug}`, body, (answer, error) => resolve(error ? this.refused(error) : answer))),
      onLay: (laid) => this.drafted(this.setup.lay(laid)),
      onLaid: (answer) => this.laid(answer),
    });
    this.editor = new Editor(part("editor"), {
      rules,
      onInput: (text) => this.typed(text),
      onCaret: (ply) => this.goTo(ply),
      onUndo: () => this.undo(),
      onRedo: () => this.redo(),
    });
    this.moves = new Moves(root, { texts, plural, onPly: (ply) => this.goTo(ply), onLine: (id) => this.goToLine(id), onDrop: (id) => this.dropLine(id) });
    this.board = new Board(part("board"), { onAct: (token) => this.act(token), onOpen: (more) => this.opened(more) });
    this.tabs = new Tabs(root.querySelector("[role=tablist]"), (name) => this.tabbed(name));
    this.shelf = new Shelf(root, { texts, plural, onNew: () => this.begin(), onOpen: (data) => this.open(new Sheet(data)), onTexts: (found) => this.take(found), onRemove: (id) => this.remove(id) });
    this.stage = new Stage(root, { texts, wanted: () => this.ply ?? this.legal, onPly: (ply) => this.goTo(ply), onAct: (token) => this.act(token) });
    this.dock = new Dock(root, { texts, plural, onUpload: (game) => this.upload(game), onWay: (tab) => this.tabs.choose(tab) });
    this.answer = null;
    this.unsaved = new Set();
    this.storing = false;
    this.listen();
    try {
      this.keeping = await Keeping.open((id) => this.news(id));
    } catch {
      this.keeping = null;
    }
    if (this.keeping && isSecureContext) {
      const { account, page } = root.dataset;
      this.outbox = new Outbox(this.keeping, { account, page, address: part("upload-form").action, onNews: (item, news) => this.uploaded(item, news) });
    }
    await this.reopen();
    root.hidden = false;
    this.outbox?.send();
    new Offline(root, { texts }).begin();
  }

  listen() {
    const on = (name, act) => part(name).addEventListener("click", act);
    on("undo", () => this.undo());
    on("redo", () => this.redo());
    on("comment", () => this.comment());
    on("branch", () => this.branch());
    on("skip", () => this.skip());
    part("board").addEventListener("atta:undo", () => this.undo());
    part("comment-dialog").addEventListener("close", () => this.commented());
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.reopen());
  }

  // The open sheet

  async reopen() {
    const handed = sessionStorage.getItem(OPENED);
    sessionStorage.removeItem(OPENED);
    if (handed) {
      await this.take([handed]);
      return;
    }
    const id = location.hash.slice(1);
    if (id && id === this.sheet?.id) return;
    const data = id && (await this.keeping?.read(id));
    if (data) this.open(new Sheet(data));
    else {
      const kept = (await this.keeping?.list()) ?? [];
      this.begin();
      if (kept.length) this.tabs.choose("sheets");
    }
  }

  /** Begins a new sheet, which is kept as soon as it has content. */
  begin() {
    this.open(Sheet.begin({ draft: this.setup.fresh() }));
  }

  open(sheet) {
    this.sheet = sheet;
    this.answer = null;
    this.ply = null;
    const address = sheet.data.version ? `#${sheet.id}` : `${location.pathname}${location.search}`;
    history.replaceState(null, "", address);
    this.tabs.choose(sheet.data.draft ? "setup" : "text");
    this.show();
  }

  /** Shows the sheet as it is: an unfinished set-up, or a record. */
  show(caret = null) {
    const { draft } = this.sheet.data;
    root.classList.toggle("is-laying", Boolean(draft));
    for (const name of ["laying", "laying-picker"]) part(name).hidden = !draft;
    for (const name of ["record", "record-act"]) part(name).hidden = true;
    this.setup.show(draft ?? this.setup.ofText(this.sheet.text), Boolean(draft));
    if (draft) this.laying.show(draft);
    else {
      this.editor.show(this.sheet.text, caret);
      this.look();
    }
    this.drawStatus();
  }

  /** Saves a sheet without overwriting what another tab has saved meanwhile; one at a time, until all are saved. */
  async store(changed = this.sheet) {
    this.unsaved.add(changed);
    const isFirst = Boolean(this.keeping) && !this.storing;
    this.storing ||= isFirst;
    this.drawStatus();
    if (!isFirst) return;
    for (const sheet of this.unsaved) {
      this.unsaved.delete(sheet);
      try {
        sheet.data.version = await this.keeping.write(sheet.data);
        if (sheet === this.sheet) history.replaceState(null, "", `#${sheet.id}`);
      } catch (error) {
        if (error instanceof Overtaken) this.overtaken(sheet, error.stored);
        else this.keeping = null;
      }
      if (!this.keeping) break;
    }
    this.storing = false;
    this.drawStatus();
  }

  /** Two tabs wrote at the same moment: the other's text wins, and this one's becomes a branch of it. */
  overtaken(sheet, stored) {
    const both = sheet.data.draft || stored.draft;
    const kept = both ? Sheet.copyOf(sheet) : sheet.branchOf(stored);
    this.unsaved.add(kept).delete(sheet);
    if (sheet !== this.sheet) return;
    this.sheet = kept;
    this.dock.notice(both ? texts.keptSheet : texts.keptOther, both ? "sheets" : "moves");
    this.show();
  }

  /** Another tab has saved a sheet. What is written here meanwhile is kept when it is saved. */
  async news(id) {
    this.drawShelf();
    const { sheet } = this;
    if (id !== sheet?.id || this.storing) return;
    const stored = await this.keeping.read(id);
    if (sheet !== this.sheet || this.storing) return;
    if (!stored) {
      sheet.data.version = 0;
      this.dock.notice(texts.gone, "sheets");
    } else if (stored.version > sheet.data.version) {
      const line = sheet.data.current;
      this.sheet = new Sheet(stored);
      if (stored.lines.some((one) => one.id === line)) this.sheet.data.current = line;
      this.dock.notice(texts.followed);
      this.show();
    }
  }

  // Setting up

  drafted(draft) {
    const { sheet } = this;
    if (!sheet.data.draft) {
      this.retag(draft);
      return;
    }
    const before = sheet.data.draft;
    sheet.data.draft = draft;
    sheet.data.changed = Date.now();
    this.store();
    if (before.slug !== draft.slug || before.laid !== draft.laid || before.deck !== draft.deck || before.seats.length !== draft.seats.length) {
      this.beginning?.toggleAttribute("disabled", true);
      this.laying.show(draft);
    }
  }

  laid(answer) {
    this.setup.offerDecks(answer.decks);
    const done = answer.places.filter(({ laid }) => laid).length;
    const all = answer.groups.flatMap(({ cards }) => cards).reduce((sum, { of }) => sum + of, 0);
    const says = texts.placeGoes.replace("{done}", done).replace("{all}", Math.min(answer.places.length, all));
    if (part("setup-says").textContent !== says) this.dock.say(says);
    part("setup-says").textContent = says;
    if (answer.complete) this.offerToBegin(answer);
    this.drawStatus();
  }

  /** Offers to begin; a reader who is busy elsewhere by now, such as with a name, keeps the focus. */
  offerToBegin({ setup }) {
    const { activeElement: focused } = document;
    const isHere = focused === document.body || [part("laying"), part("laying-picker")].some((one) => one.contains(focused));
    this.beginning = document.createElement("button");
    Object.assign(this.beginning, { type: "button", className: "button large", textContent: texts.begin });
    this.beginning.addEventListener("click", () => this.beginGame(setup));
    part("laying-picker").append(this.beginning);
    if (isHere) this.beginning.focus();
  }

  beginGame(setup) {
    const { draft } = this.sheet.data;
    const deck = draft.deck || part("choose-deck").value;
    this.sheet.data.draft = null;
    this.sheet.line.text = this.setup.tags(draft, setup, deck);
    this.sheet.touch();
    this.tabs.choose(innerWidth < 960 ? "moves" : "text");
    this.show();
    this.store();
  }

  skip() {
    if (this.sheet.data.draft) this.beginGame(this.laying.answer?.setup ?? "");
    this.tabs.choose("text");
    this.editor.area.focus();
  }

  /** Changes the tags of a record: its names, date and event. */
  retag(draft) {
    const text = this.setup.retagged(this.sheet.text, draft);
    if (!this.sheet.change(text, { typing: true })) return;
    this.editor.show(text);
    this.look();
    this.store();
  }

  // The record

  /** Asks for the position of the current text; resolves when it is shown, or when a newer request follows. */
  look() {
    const { text } = this.sheet;
    const body = { text, ply: this.ply, known: this.board.known };
    this.looked?.();
    return new Promise((resolve) => {
      this.looked = resolve;
      this.asking.ask(root.dataset.positions, body, (answer, error) => {
        if (text === this.sheet.text && !this.sheet.data.draft) {
          if (error) this.unreadable(error);
          else this.answered(answer);
        }
        resolve();
      });
    });
  }

  /** Asks for what a card does, for everything that can be done in the position shown, or why a touch is refused, unless something else is asked. */
  opened(more) {
    if (more.touched && this.asking.running) return null;
    const body = { text: this.sheet.text, ply: this.ply, known: this.board.known, ...more };
    return new Promise((resolve, reject) => {
      this.asking.ask(root.dataset.positions, body, (answer, error) => (error ? reject(error) : resolve(answer.position)));
    });
  }

  answered(answer) {
    const tokens = []; // of a long game only those around the position are there
    for (const token of answer.tokens) tokens[token.ply] = token;
    answer.tokens = tokens;
    this.answer = answer;
    this.legal = answer.actions;
    this.editor.judge(answer);
    if (answer.position) this.board.show(answer.position);
    this.drawStatus();
    if (!this.inText(answer)) this.settle(answer);
  }

  /** Converts a record in JSON to text, which is what is edited here. */
  inText({ text, fault }) {
    const is = !fault && Boolean(text) && agn.isJson(this.sheet.text);
    if (is && this.sheet.change(agn.open(text))) this.changed(0);
    return is;
  }

  /** Writes the result of a game as soon as its last action is written. */
  settle({ position, fault }) {
    const { text } = this.sheet;
    const open = !agn.parse(text).result || agn.tag(text, "Result") === "*";
    const onlyResult = !fault || /^AGN-(RESULT|TAG-7)/.test(fault.rule);
    if (!position?.over || !position.placements || !open || !onlyResult) return;
    const settled = agn.setResult(text, position.placements.join("-"));
    if (this.sheet.change(settled, { follows: true })) this.changed();
  }

  unreadable(error) {
    this.answer = null;
    this.legal = 0;
    const place = error.answer?.place ?? {};
    const fault = { rule: place.rule ?? "", message: error.message, line: place.line ?? 1, column: place.column ?? 1, completions: [] };
    this.editor.judge({ tokens: [], fault });
    this.refusal = fault;
    part("record").hidden = true;
    this.drawStatus();
  }

  typed(text) {
    this.sheet.change(text, { typing: true });
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.look(), TYPING_PAUSE);
    this.ply = null;
    this.store();
  }

  /** Does an action: at the end of the text it is appended, in an earlier position it begins a branch. */
  act(token) {
    const { position, fault } = this.answer;
    const total = agn.parse(this.sheet.text).actions.length;
    if (position.ply < this.legal) this.sheet.branch(position.ply, agn.cut(this.sheet.text, position.ply));
    let { text } = this.sheet;
    if (fault && position.ply === this.legal && this.legal < total) text = agn.replaceAction(text, this.legal, token);
    else text = agn.append(text, token, position.number);
    this.sheet.change(text);
    this.ply = null;
    return this.changed(text.length);
  }

  changed(caret = null) {
    this.editor.show(this.sheet.text, caret);
    this.store();
    return this.look();
  }

  undo() {
    if (this.sheet.data.draft) return;
    const caret = this.sheet.undo();
    if (caret === null) return;
    this.ply = this.sheet.line.ply;
    this.changed(caret);
  }

  redo() {
    if (this.sheet.data.draft) return;
    const caret = this.sheet.redo();
    if (caret === null) return;
    this.ply = null;
    this.changed(caret);
  }

  branch() {
    const { position } = this.answer;
    this.sheet.branch(position.ply, agn.cut(this.sheet.text, position.ply));
    this.ply = null;
    this.tabs.choose("moves");
    this.changed();
  }

  goToLine(id) {
    this.sheet.goTo(id);
    this.ply = null;
    this.changed();
  }

  dropLine(id) {
    this.sheet.drop(id);
    this.changed();
  }

  goTo(ply) {
    const wanted = ply !== null && ply >= this.legal ? null : ply;
    if (wanted === this.ply) return;
    this.ply = wanted;
    this.look();
  }

  comment() {
    const { position } = this.answer;
    const token = this.answer.tokens[position.ply - 1]?.token;
    this.commenting = position.ply;
    part("comment-title").textContent = token ? texts.commentOn.replace("{token}", token) : texts.commentFirst;
    part("comment-text").value = agn.comment(this.sheet.text, position.ply);
    part("comment-dialog").returnValue = "";
    part("comment-dialog").showModal();
  }

  commented() {
    if (part("comment-dialog").returnValue !== "save") return;
    if (this.sheet.change(agn.setComment(this.sheet.text, this.commenting, part("comment-text").value))) this.changed();
  }

  // Status

  drawStatus() {
    const { data, text, canUndo, canRedo } = this.sheet;
    const laying = Boolean(data.draft);
    const answered = !laying && Boolean(this.answer?.position);
    this.dock.show({ text: laying ? "" : text, canUndo: !laying && canUndo, canRedo: !laying && canRedo, answered, status: this.status(), why: this.whyNot() });
    part("record").hidden = part("record-act").hidden = !answered;
    this.stage.show(answered ? { position: this.answer.position, legal: this.legal, seats: this.seats(), gone: this.gone() } : null);
    const fault = laying ? null : this.editor.fault;
    part("fault-said").textContent = fault ? texts.faultAt.replace("{line}", fault.line).replace("{column}", fault.column).replace("{message}", fault.message) : "";
    if (this.tabs.chosen === "moves") this.drawMoves();
  }

  /** What is kept on this device; while it is being saved, what was kept before. */
  status() {
    if (!this.keeping) return texts.unsaved;
    if (this.storing) return part("status").textContent;
    if (!this.sheet.data.version) return texts.notYet;
    const when = new Date(this.sheet.data.changed).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
    const saved = texts.saved.replace("{time}", when);
    if (this.sheet.data.draft) return saved;
    const count = plural(texts.actions, agn.parse(this.sheet.text).actions.length);
    return `${saved} ${[count, ...(this.editor.fault ? [texts.faults] : [])].join(", ")}.`;
  }

  /** The reason the game cannot be uploaded yet; empty if it can. */
  whyNot() {
    if (this.sheet.data.draft) return texts.setUpFirst;
    if (this.isAway && !this.outbox) return texts.awayUpload;
    if (this.editor.fault) return texts.fixFirst;
    return agn.parse(this.sheet.text).actions.length ? "" : texts.nothingYet;
  }

  seats() {
    return this.setup.seatsOf(this.sheet.text);
  }

  /** The seats that have left the game before the position shown. */
  gone() {
    const before = agn.parse(this.sheet.text).actions.slice(0, this.answer.position.ply);
    return before.flatMap(({ text }) => /^(?:resign|timeout):(.)$/.exec(text)?.[1] ?? []);
  }

  drawMoves() {
    const { answer, sheet } = this;
    const seats = Object.fromEntries((sheet.data.draft ? [] : this.seats()).map(({ letter, colour }) => [letter, colour]));
    const known = answer?.position ? { tokens: answer.tokens, legal: this.legal, ply: answer.position.ply } : { tokens: [], legal: Infinity, ply: null };
    this.moves.show(sheet, { ...known, seats });
  }

  away(kind) {
    this.isAway = kind !== "" && kind !== "busy";
    part("away").hidden = !kind;
    const away = this.sheet?.data.draft ? texts.awayLaying : texts.away;
    const words = { "": "", busy: texts.waitBoard, away, starting: texts.awayStarting, here: texts.awayHere };
    if (part("away").textContent !== words[kind]) part("away").textContent = words[kind];
    if (this.sheet) this.drawStatus();
  }

  refused(error) {
    part("setup-says").textContent = error.message;
    return null;
  }

  // The other sheets

  tabbed(name) {
    if (name === "sheets") this.drawShelf();
    if (name === "moves" && this.sheet) this.drawMoves();
    if (name === "text" && this.sheet && !this.sheet.data.draft) this.editor.draw();
  }

  async drawShelf() {
    const waiting = (await this.keeping?.waiting()) ?? [];
    this.shelf.draw((await this.keeping?.list()) ?? [], this.sheet?.id, new Set(waiting.map(({ sheet }) => sheet)));
  }

  /** Opens the games of a text, each in its own sheet, and shows the first. */
  async take(found) {
    if (!found.length) {
      this.dock.say(texts.nothingToOpen);
      part("no-sheets").textContent = texts.nothingToOpen;
      part("no-sheets").hidden = false;
      return;
    }
    const sheets = found.map((text) => Sheet.begin({ text: agn.open(text) }));
    if (this.keeping) for (const sheet of sheets) sheet.data.version = await this.keeping.write(sheet.data);
    this.open(sheets[0]);
    this.dock.say(plural(texts.opened, sheets.length));
    if (sheets.length > 1) this.tabs.choose("sheets");
  }

  async remove(id) {
    await this.keeping.remove(id);
    if (id === this.sheet.id) this.begin();
    this.tabs.choose("sheets");
  }

  // Uploading

  /** Uploads a game now, or as soon as the network is back. Returns false where the form has to do it. */
  upload({ text, options }) {
    if (!this.outbox) {
      this.sheet.data.uploaded = Date.now();
      this.store();
      return false;
    }
    this.dock.notice(texts.uploading);
    this.outbox.add({ sheet: this.sheet.id, text, options });
    return true;
  }

  /** Says what became of a game that was to be uploaded. */
  async uploaded(item, { page, refused, other, isNow }) {
    if (page) {
      await this.markUploaded(item);
      this.dock.notice(texts.uploadDone, "", page);
      if (isNow) location.assign(page);
    } else if (refused) this.dock.notice(texts.uploadRefused.replace("{why}", refused), "sheets");
    else if (other) this.dock.notice(item.account ? texts.uploadOther : texts.uploadNobody, "sheets");
    else this.dock.notice(texts.uploadWaits, "sheets");
    if (this.tabs.chosen === "sheets") this.drawShelf();
  }

  /** Notes on a sheet that its game was uploaded, unless it has changed since. */
  async markUploaded({ sheet, text }) {
    const data = sheet === this.sheet.id ? this.sheet.data : await this.keeping.read(sheet);
    const found = data && new Sheet(data);
    if (!found || agn.closed(found.text) !== text) return;
    data.uploaded = Date.now();
    await this.store(sheet === this.sheet.id ? this.sheet : found);
  }

  key(event) {
    const field = event.target.closest?.("input, textarea, select, dialog");
    const undo = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase();
    if (field || (undo !== "z" && undo !== "y")) return;
    event.preventDefault();
    if (undo === "y" || event.shiftKey) this.redo();
    else this.undo();
  }
}

new Score().start();
