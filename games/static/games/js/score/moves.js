/** The moves of a sheet as a list: rounds, actions, comments, and branches side by side.
 *
 * new Moves(root, {texts, onPly(ply), onLine(id), onDrop(id)}) with [data-lines] and [data-moves] in the root. */

import { redraw } from "../redraw.js";
import * as agn from "./agn.js";

function made(tag, className, text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}

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
