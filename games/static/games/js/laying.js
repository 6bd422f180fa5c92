/** Lays a game out as it lies on the table: the places, what lies there, and for each what the rules still allow. What
 * that is the server says (`POST /api/v1/setups/SLUG`); this knows no game.
 *
 * <div data-laying>        the stage: the script draws an SVG into it
 * <div data-laying-picker> heading, cards with how many are left, and the ways in which the chosen card can lie
 *
 * new Laying(stage, picker, {texts, ask(body), onLaid(laid, setup)}) */

import { fold, htmlElement, squareAround, svgElement, Table } from "./scene.js";

const LAYERS = 4;
/** Before the ids of its drawings: the board has some of the same names. */
const PREFIX = "lay-";

export class Laying {
  constructor(stage, picker, options) {
    this.stage = stage;
    this.picker = picker;
    this.options = options;
    this.symbols = {};
    this.answer = null;
    this.at = null;
    this.card = null;
    /** Whether a place or card was chosen since the server was last asked. */
    this.chosen = false;
    this.asked = 0;
    this.svg = svgElement("svg", { class: "board laying", "data-prefix": PREFIX, role: "group", "aria-label": options.texts.layingBoard });
    this.defs = svgElement("defs");
    this.places = svgElement("g", { class: "places" });
    const layers = Array.from({ length: LAYERS }, () => svgElement("g", { class: "layer" }));
    this.svg.append(this.defs, ...layers, svgElement("g", { class: "traces" }), this.places);
    stage.replaceChildren(this.svg);
    this.table = new Table(this.svg);
    this.places.addEventListener("click", (event) => this.choose(event.target.closest("[data-place]")));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    picker.addEventListener("click", (event) => this.pick(event.target.closest("button")));
  }

  /** Draws what a draft has laid; a draft of another game begins anew. */
  async show(draft) {
    this.draft = draft;
    const asked = ++this.asked;
    const body = { laid: draft.laid, deck: draft.deck || null, hand: draft.hand ?? null, seats: draft.seats.map(({ letter }) => letter), known: Object.keys(this.symbols) };
    this.chosen = false;
    const answer = await this.options.ask(draft.slug, body);
    if (asked !== this.asked || !answer) return;
    this.answer = answer;
    if (!this.chosen || !this.place) this.goOn();
    this.draw();
    this.options.onLaid(answer);
  }

  /** Goes to the place that is laid next. */
  goOn() {
    this.at = this.answer.next ?? this.place?.key ?? null;
    this.card = null;
  }

  get place() {
    return this.answer?.places.find(({ key }) => key === this.at);
  }

  draw() {
    const { frame, box, symbols, places } = this.answer;
    const parser = new DOMParser();
    for (const [name, markup] of Object.entries(symbols)) {
      if (this.symbols[name]) continue;
      this.symbols[name] = markup;
      const read = parser.parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`, "image/svg+xml");
      const drawing = document.importNode(read.documentElement.firstElementChild, true);
      drawing.id = PREFIX + name;
      this.defs.append(drawing);
    }
    this.svg.setAttribute("viewBox", box.join(" "));
    this.table.show(fold(undefined, frame).pieces);
    this.places.replaceChildren(...places.map((place) => this.drawPlace(place)));
    this.drawPicker();
  }

  drawPlace({ key, label, x, y, w, h, laid, parts }) {
    const made = svgElement("g", {
      class: `place${key === this.at ? " chosen" : ""}${laid ? " laid" : ""}`,
      "data-place": key,
      role: "button",
      tabindex: key === this.at ? 0 : -1,
      "aria-pressed": String(key === this.at),
      "aria-label": laid ? `${label}: ${laid}` : label,
      ...(parts.length || laid ? {} : { "aria-disabled": "true" }),
    });
    made.append(svgElement("rect", { x, y, width: w, height: h, rx: 7 }));
    return made;
  }

  key(event) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(event.target.closest("[data-place]"));
      return;
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...this.places.children];
    const next = all[(all.indexOf(event.target.closest("[data-place]")) + step + all.length) % all.length];
    this.choose(next);
    this.places.querySelector(`[data-place="${CSS.escape(next.dataset.place)}"]`).focus();
  }

  choose(place) {
    if (!place) return;
    this.chosen = true;
    this.at = place.dataset.place;
    this.card = this.answer.groups.flatMap(({ cards }) => cards).find(({ parts }) => parts.some(({ part }) => part === this.place.laid))?.card;
    this.draw();
  }

  // What may lie there

  drawPicker() {
    const { place, answer, options } = this;
    const { texts } = options;
    const heading = htmlElement("h2", {}, answer.complete && !place ? texts.laidAll : (place ? texts.whatLies.replace("{place}", place.label) : answer.sentence));
    const parts = [heading];
    if (place) {
      for (const group of answer.groups) parts.push(this.drawGroup(group, new Set(place.parts)));
      const chosen = answer.groups.flatMap(({ cards }) => cards).find(({ card }) => card === this.card);
      if (chosen) parts.push(this.drawWays(chosen, new Set(place.parts)));
      if (place.laid) parts.push(htmlElement("button", { type: "button", class: "button small", "data-clear": "" }, texts.takeAway));
    }
    const focused = this.picker.contains(document.activeElement) ? document.activeElement.dataset : null;
    this.picker.replaceChildren(...parts);
    if (focused) this.focus(focused.card);
  }

  /** A reader who picks by keys goes on where the focus was, or with the first card that may lie here. */
  focus(card = "") {
    const ways = this.card && this.picker.querySelector("[data-part]:enabled");
    const same = this.picker.querySelector(`[data-card="${CSS.escape(card)}"]:enabled`);
    (ways || same || this.picker.querySelector("button:enabled"))?.focus();
  }

  drawGroup({ label, left, cards }, allowed) {
    const title = htmlElement("h3", {}, htmlElement("b", {}, label), ` ${this.options.texts.left.replace("{n}", left)}`);
    const list = htmlElement("div", { class: "laying-cards" }, ...cards.map((card) => this.drawCard(card, allowed)));
    return htmlElement("section", { class: "laying-group" }, title, list);
  }

  drawCard({ card, left, of, label, symbol, text, parts }, allowed) {
    const may = parts.some(({ part }) => allowed.has(part));
    const words = this.options.texts.leftOf.replace("{left}", left).replace("{of}", of);
    const button = htmlElement(
      "button",
      { type: "button", class: "laying-card", "data-card": card, "data-parts": parts.map(({ part }) => part).join(" "), "aria-pressed": String(card === this.card), disabled: may ? false : "", title: label },
      this.picture(symbol, 0, text),
      htmlElement("span", { class: "unseen" }, label),
      htmlElement("span", { class: "laying-left" }, words),
    );
    return button;
  }

  drawWays({ parts }, allowed) {
    const fit = parts.filter(({ part }) => allowed.has(part)).length;
    const { texts } = this.options;
    const title = htmlElement("h3", {}, texts.rotations.replace("{fit}", fit).replace("{all}", parts.length));
    const buttons = parts.map(({ part, symbol, turn = 0, label }) =>
      htmlElement("button", { type: "button", class: "laying-card", "data-part": part, "aria-pressed": String(part === this.place.laid), disabled: allowed.has(part) ? false : "", title: label }, this.picture(symbol, turn), htmlElement("code", {}, part)),
    );
    return htmlElement("section", { class: "laying-group" }, title, htmlElement("div", { class: "laying-cards" }, ...buttons));
  }

  /** A drawing as large as its button, and what is written on it. */
  picture(symbol, turn = 0, text = "") {
    const room = symbol ? this.roomOf(symbol, turn) : [-50, -50, 100, 100];
    const svg = svgElement("svg", { class: "board", viewBox: room.join(" "), "aria-hidden": "true", width: 48, height: 48 });
    if (symbol) svg.append(svgElement("use", { href: `#${PREFIX}${symbol}`, transform: `rotate(${turn})` }));
    if (text) {
      svg.append(svgElement("text", { class: "laying-text", "text-anchor": "middle", y: 8 }));
      svg.lastChild.textContent = text;
    }
    return svg;
  }

  /** The square that a drawing takes when it is turned. */
  roomOf(symbol, turn) {
    const use = svgElement("use", { href: `#${PREFIX}${symbol}`, transform: `rotate(${turn})` });
    const group = svgElement("g");
    group.append(use);
    this.places.append(group);
    const room = squareAround(group.getBBox());
    group.remove();
    return room;
  }

  /** A card of which one way fits is laid at once; of another the ways are shown. */
  pick(button) {
    if (!button || button.disabled || !this.place) return;
    if ("clear" in button.dataset) this.lay(null);
    else if (button.dataset.part) this.lay(button.dataset.part);
    else if (button.dataset.card) {
      const { card } = button.dataset;
      const found = this.answer.groups.flatMap(({ cards }) => cards).find((one) => one.card === card);
      const ways = found.parts.filter(({ part }) => this.place.parts.includes(part));
      this.chosen = true;
      this.card = card;
      if (ways.length === 1) this.lay(ways[0].part);
      else this.drawPicker();
    }
  }

  lay(part) {
    const laid = { ...this.draft.laid };
    if (part === null) delete laid[this.at];
    else laid[this.at] = part;
    this.options.onLay(laid);
  }
}
