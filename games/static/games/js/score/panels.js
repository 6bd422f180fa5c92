/** What is around the board of the score sheet: tabs, the round with its steps, the moves, and the area below. */

import { redraw } from "../redraw.js";
import * as agn from "./agn.js";

/** Tabs following the ARIA pattern: arrows move between them, and each names its panel. */
export class Tabs {
  constructor(list, onChoose) {
    this.list = list;
    this.onChoose = onChoose;
    list.addEventListener("click", ({ target }) => {
      const tab = target.closest("[role=tab]");
      if (tab) this.choose(nameOf(tab));
    });
    list.addEventListener("keydown", (event) => this.key(event));
  }

  get tabs() {
    return [...this.list.querySelectorAll("[role=tab]")];
  }

  get chosen() {
    return nameOf(this.tabs.find((tab) => tab.getAttribute("aria-selected") === "true"));
  }

  choose(name) {
    for (const tab of this.tabs) {
      const chosen = nameOf(tab) === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
    }
    this.onChoose(name);
  }

  key(event) {
    const { tabs } = this;
    const at = tabs.indexOf(document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    const tab = tabs[(next + tabs.length) % tabs.length];
    this.choose(nameOf(tab));
    tab.focus();
  }
}

function nameOf(tab) {
  return tab.id.slice("tab-".length);
}

/** The area around the board: the round, whose turn it is, the steps through the game, and ways to leave it.
 *
 * new Stage(root, {texts, wanted(), onPly(ply), onAct(token)}); `wanted` is the position asked for last */
export class Stage {
  constructor(root, options) {
    this.options = options;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.part("steps").addEventListener("click", ({ target }) => this.step(target.closest("[data-step]")));
    this.part("leave").addEventListener("click", ({ target }) => this.leave(target.closest("[data-token]")));
  }

  /** Shows a position of a game and how many actions are legal, or that there is none. */
  show(shown) {
    this.shown = shown;
    this.part("steps").hidden = this.part("stage-says").hidden = !shown;
    if (!shown) return;
    const { position, legal, seats, gone } = shown;
    const { texts } = this.options;
    const earlier = position.ply < legal;
    this.part("round").textContent = position.over && !earlier ? texts.over : position.round.label;
    redraw(this.part("turns"), position.round.parts.map((one) => partOf(one, seats)));
    this.part("stage-at").textContent = `${position.ply} / ${legal}`;
    this.part("earlier").hidden = !earlier;
    for (const [step, off] of Object.entries({ first: !position.ply, back: !position.ply, on: !earlier, last: !earlier }))
      this.part("steps").querySelector(`[data-step=${step}]`).disabled = off;
    this.part("leave").hidden = !position.turn;
    redraw(this.part("resigning"), seats.filter(({ letter }) => !gone.includes(letter)).map((seat) => resigned(seat, texts)));
    this.part("leave").querySelector("[data-token=draw]").hidden = seats.length !== 2;
  }

  step(button) {
    if (!button || !this.shown) return;
    const at = this.options.wanted();
    this.options.onPly({ first: 0, back: Math.max(0, at - 1), on: at + 1, last: null }[button.dataset.step]);
  }

  /** Writes an action that ends a game, or a seat's part in it, without the board (AGN-ADMIN in every game). */
  leave(button) {
    if (!button) return;
    this.part("leave").open = false;
    this.options.onAct(button.dataset.token.replace("{turn}", this.shown.position.turn));
  }
}

/** A button for each seat that is still in the game, whoever's turn it is. */
function resigned({ letter, name, colour }, texts) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button small" });
  button.dataset.token = `resign:${letter}`;
  const chip = Object.assign(document.createElement("span"), { className: `chip small seat-${colour}`, textContent: letter });
  button.append(chip, ` ${texts.resigned.replace("{name}", name)}`);
  return button;
}

/** A part of the round: somebody's turn, or what is nobody's. */
function partOf({ at, seat: letter, label }, seats) {
  const part = document.createElement("span");
  part.className = `round-part ${at}`;
  if (at === "now") part.setAttribute("aria-current", "step");
  const seat = seats.find((one) => one.letter === letter);
  if (seat) {
    const chip = Object.assign(document.createElement("span"), { className: `chip small seat-${seat.colour}`, textContent: letter });
    part.append(chip, Object.assign(document.createElement("bdi"), { textContent: seat.name }));
  } else part.append(label ?? letter);
  return part;
}

function made(tag, className, text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}

/** The moves of a sheet as a list: rounds, actions, comments, and branches side by side.
 *
 * new Moves(root, {texts, onPly(ply), onLine(id), onDrop(id)}) with [data-lines] and [data-moves] in the root. */
export class Moves {
  constructor(root, options) {
    this.options = options;
    this.list = root.querySelector("[data-moves]");
    this.lines = root.querySelector("[data-lines]");
    this.list.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-ply]");
      if (button) options.onPly(Number(button.dataset.ply));
    });
    this.lines.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button?.dataset.line) options.onLine(button.dataset.line);
      else if (button?.dataset.drop) options.onDrop(button.dataset.drop);
    });
  }

  /** Draws the moves of a text; the first `legal` of them are legal, and `ply` is the position shown. */
  show(sheet, { tokens, legal, ply, seats }) {
    this.drawLines(sheet);
    const rows = [];
    let [row, seat] = [null, null];
    const newRow = (number) => {
      rows.push((row = made("li", "moves-round")));
      row.append(made("span", "moves-number", number));
      seat = null;
    };
    for (const item of agn.parse(sheet.text).items) {
      if (item.kind === "number" || !row) newRow(item.kind === "number" ? item.text : "");
      if (item.kind === "action") {
        const token = tokens[item.ply - 1];
        if (token?.seat && token.seat !== seat) row.append(this.chip((seat = token.seat), seats));
        row.append(this.move(item, token, { rest: item.ply > legal, current: item.ply === ply }));
      } else if (item.kind === "comment") row.append(made("span", "moves-comment", item.text.replace(/^[{;]|\}$/g, "").trim()));
    }
    redraw(this.list, rows);
    this.list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  chip(letter, seats) {
    return made("span", `chip small seat-${seats[letter] ?? ""}`, letter);
  }

  move(item, token, { rest, current }) {
    const button = made("button", `move${rest ? " rest" : ""}`, item.text);
    button.type = "button";
    button.dataset.ply = item.ply;
    button.disabled = rest;
    if (token?.sentence) button.title = token.sentence;
    if (current) button.setAttribute("aria-current", "step");
    return button;
  }

  drawLines(sheet) {
    const { lines, current } = sheet.data;
    this.lines.hidden = lines.length < 2;
    if (this.lines.hidden) return;
    redraw(this.lines, lines.map((line) => this.drawLine(line, line.id === current)));
  }

  drawLine(line, current) {
    const { texts, plural } = this.options;
    const element = made("li", current ? "current" : "");
    const name = lineName(line, texts);
    const open = made("button", "line-open", name);
    open.type = "button";
    open.dataset.line = line.id;
    if (current) open.setAttribute("aria-current", "true");
    const count = plural(texts.actions, agn.parse(line.text).actions.length);
    const from = line.from ? `${texts.branchFrom.replace("{n}", line.from.ply)}, ` : "";
    element.append(open, made("span", "quiet", from + count));
    if (!current) {
      const drop = made("button", "line-drop", "×");
      drop.type = "button";
      drop.dataset.drop = line.id;
      drop.setAttribute("aria-label", texts.dropLine.replace("{name}", name));
      element.append(drop);
    }
    return element;
  }
}

function lineName({ number, kind }, texts) {
  if (!number) return texts.mainLine;
  return (kind === "tab" ? texts.otherLine : texts.branchLine).replace("{n}", number);
}

/** The area below the board: what was saved, what can be done, and the exports, a file and an upload.
 *
 * new Dock(root, {texts, plural, onUpload({text, options}), onWay(tab)}); `onUpload` returns whether it uploads by
 * itself, or the form does */
export class Dock {
  constructor(root, options) {
    this.options = options;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.dialog = this.part("upload-dialog");
    this.part("save").addEventListener("click", () => this.save());
    this.part("upload").addEventListener("click", () => this.upload());
    this.part("close").addEventListener("click", () => this.dialog.close());
    this.part("upload-form").addEventListener("submit", (event) => this.submitted(event));
    this.part("notice").addEventListener("click", ({ target }) => this.leave(target.closest("button")));
  }

  /** Announces once what has happened. */
  say(words) {
    this.part("said").textContent = words;
  }

  /** Says what has happened where it is seen until somebody closes it; `tab` or `address` is where to look. */
  notice(words, tab = "", address = "") {
    this.part("notice").hidden = false;
    this.part("notice-says").textContent = words;
    this.part("notice-address").hidden = !address;
    this.part("notice-address").href = address;
    this.part("notice").querySelectorAll("[data-notice-way]").forEach((way) => (way.hidden = way.dataset.noticeWay !== tab));
  }

  leave(button) {
    if (!button) return;
    this.part("notice").hidden = true;
    if (button.dataset.noticeWay) this.options.onWay(button.dataset.noticeWay);
  }

  /** Shows what is possible now. `why` is the reason the game cannot be uploaded yet. */
  show({ text, canUndo, canRedo, answered, status, why }) {
    this.text = text;
    this.part("undo").disabled = !canUndo;
    this.part("redo").disabled = !canRedo;
    this.part("comment").disabled = !answered;
    this.part("branch").disabled = !answered;
    this.part("save").disabled = !text;
    this.part("status").textContent = status;
    this.part("upload").setAttribute("aria-disabled", String(Boolean(why)));
    this.part("upload-why").textContent = why;
  }

  get isBlocked() {
    return this.part("upload").getAttribute("aria-disabled") === "true";
  }

  /** Saves the text as a file, even if it has a fault. */
  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([agn.closed(this.text)], { type: "text/plain;charset=utf-8" }));
    link.download = this.filename();
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  filename() {
    const words = [agn.tag(this.text, "Game"), agn.tag(this.text, "Date")?.replace(/\.?\?+/g, "")];
    return `${words.filter(Boolean).join(" ").toLowerCase().replace(/[^a-z0-9]+/g, "-") || "game"}.agn`;
  }

  upload() {
    if (this.isBlocked) {
      this.say(this.part("upload-why").textContent);
      return;
    }
    this.part("upload-text").value = agn.closed(this.text);
    this.dialog.showModal();
  }

  submitted(event) {
    const { text, csrfmiddlewaretoken: _, ...options } = Object.fromEntries(new FormData(event.target));
    if (!this.options.onUpload({ text, options })) return;
    event.preventDefault();
    this.dialog.close();
  }
}
