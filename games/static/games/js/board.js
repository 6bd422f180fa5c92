/* A board that accepts actions. It shows a position, marks what can be touched, narrows the legal actions with every
   touch, previews the action and hands over its token. It knows no game and asks nobody: the position contains
   everything that can be done (engine.touching.position) or leaves it to `onOpen`, and `onAct` does it.

   board = new Board(root, { onAct, onOpen, position, confirm })
     confirm             if false, it acts at once when nothing is left to choose, unless the page has a switch for that
     onAct(token)        does an action; may return a promise, whose rejection is shown as by `refuse`
     onOpen(more)        promises the same position with more: { drawn: a card } or { whole: true } where it asks for a
                         card and leaves open what each does; { touched: targets } for its `refusal`, which says why the
                         last of them cannot be touched
     .show(position)     shows a position and what can be done in it; { motion: false } skips the animation
     .follow(body)       shows what an action changed, as reported by a stream; inert until the next position
     .refuse({ message, rule })   explains why something was not done, and shakes once
     .known              the names of the drawings it already has, for the next request's `known`
   Events on the root: `atta:part` { spelled, token } whenever something was touched, `atta:chosen` { token } when it is
   a complete action, `atta:act` { token } when it is done, `atta:undo` on stepping back with nothing touched.

   The markup is in games/parts/board.html, with parts/actions.html, parts/picker.html and parts/dock.html beside it in
   any order and place below the root:

   <… data-board>                 the root; data-confirm="no" acts at once when nothing is left to choose;
                                  data-says-…: sentences, translated by the template
     [data-stage]                 holds the svg.board and the list of choices at a cell
     [data-live]                  a live region
   and what js/beside.js, js/typing.js and js/hand.js read. js/spelling.js tracks how far an action is spelled,
   js/touching.js reads the pointer, js/typing.js the keyboard, js/marks.js draws, and js/zoom.js enlarges. */

import { Beside, Refusing } from "./beside.js";
import { Hand } from "./hand.js";
import { Marks } from "./marks.js";
import { fold, homeOf, motionOf, svgElement, Table, waysOf } from "./scene.js";
import { Ahead, isChoice, Spelling } from "./spelling.js";
import { Fan, Pointing, Targets } from "./touching.js";
import { ActionList, Keys } from "./typing.js";
import { Zoom } from "./zoom.js";

const GUTTER = 26;
const GROWTH = 240;
const HATCHED = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
const FONT = "Inter, 'Source Sans 3', 'Helvetica Neue', Arial, sans-serif";

export class Board {
  constructor(root, { onAct, onOpen, position = null, confirm = true } = {}) {
    this.root = root;
    this.root.dataset.confirm ??= confirm ? "yes" : "no";
    this.onAct = onAct;
    this.onOpen = onOpen;
    this.stage = root.querySelector("[data-stage]");
    this.svg = this.stage.querySelector("svg.board");
    this.live = root.querySelector("[data-live]");
    this.known = [];
    this.position = null;
    this.asked = [];
    this.spelling = new Spelling([]);
    this.prepare();
    this.table = new Table(this.svg);
    this.marks = new Marks(this.svg, this.table);
    this.targets = new Targets(this);
    this.fan = new Fan(this);
    this.ahead = new Ahead(this);
    this.refusing = new Refusing(this);
    this.hand = new Hand(this);
    this.beside = [new Beside(this), new ActionList(this), this.hand, this.fan];
    this.zoom = new Zoom(this);
    this.pointing = new Pointing(this);
    this.keys = new Keys(this);
    if (position) {
      this.show(position, { motion: false });
    }
  }

  /* How many pixels a unit of the board is, from whichever side it is seen. */
  get unit() {
    return Math.abs(this.svg.getScreenCTM().a);
  }

  get prefix() {
    return this.svg.dataset.prefix ?? "";
  }

  /* Prepares an SVG with a layer for everything that is drawn. */
  prepare() {
    const group = (name, attributes = {}) => svgElement("g", { class: name, ...attributes });
    const numbers = { "font-family": FONT, "font-size": 19, "font-weight": 700, "text-anchor": "middle" };
    const [ground, ...others] = ["ground", "loose", "walking", "top"].map((name) => group(`layer ${name}`, numbers));
    this.definitions = svgElement("defs");
    const hatching = svgElement("pattern", { id: `${this.prefix}hatching`, width: 8, height: 8, ...HATCHED });
    hatching.append(svgElement("path", { class: "hatch", d: "M0 0V8" }));
    this.definitions.append(hatching);
    this.labels = group("labels", { ...numbers, "font-size": 15, "font-weight": 400, "aria-hidden": "true" });
    const traces = group("traces", { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" });
    this.svg.replaceChildren(this.definitions, this.labels, ground, traces, ...others);
  }

  // The position

  /* What was touched stays when the same position comes again. */
  show(position, { motion = true } = {}) {
    const shown = JSON.stringify({ ...position, symbols: null });
    if (this.position && shown === this.shown) {
      this.learn(position.symbols);
      return;
    }
    const moving = motion && this.position ? motionOf(this.root) : 0;
    this.shown = shown; // with it a position is compared that comes again, whatever drawings come with it
    this.position = position;
    this.isClosed = Boolean(position.picker && !position.tree.length && this.onOpen);
    this.asked = [];
    const before = this.scene;
    this.scene = fold(null, { ...position.frame, whole: true });
    this.learn(position.symbols);
    this.table.show(this.scene.pieces, {
      motion: moving,
      paths: waysOf(this.scene.traces),
      home: moving && homeOf(before, this.scene),
    });
    this.table.drawTraces(this.scene.traces);
    this.drawLabels(position);
    this.plant(position, moving);
    this.refusing.forget();
    this.svg.setAttribute("aria-label", this.scene.caption);
    this.render();
    this.zoom.offer();
    this.say([this.scene.caption, ...position.must.map(({ why }) => why)].join(" "));
  }

  /* Takes a tree of touches for the position shown, and makes room for its places. */
  plant({ tree, places, box }, moving = motionOf(this.root)) {
    this.position = { ...this.position, places };
    this.fit(box, moving);
    this.marks.places = places;
    this.spelling = new Spelling(tree, (id) => this.scene.pieces.has(id));
    this.root.dataset.choosing = this.isClosed || this.spelling.hasChoices ? "yes" : "no";
  }

  /* Shows what one action changed, as reported by a stream (js/live.js): no action is possible until the next position.
     :returns: whether the change follows the position shown. */
  follow({ frame, turn = null, symbols = {}, box = this.position?.box, labels = this.position?.labels }) {
    if (!frame || !this.position || frame.ply !== this.position.ply + 1) {
      return false;
    }
    const { pieces, trays, lines } = fold(this.scene, frame);
    const whole = { put: [...pieces.values()], gone: [], trays: [...trays.values()], lines: { ...lines } };
    const nothing = { tree: [], places: {}, picker: null, must: [], count: 0 };
    const shown = { ply: frame.ply, turn, symbols, box, labels, frame: { ...frame, ...whole, height: lines.length } };
    this.show({ ...this.position, ...nothing, ...shown });
    return true;
  }

  learn(symbols) {
    for (const [name, markup] of Object.entries(symbols).filter(([name]) => !this.known.includes(name))) {
      const text = `<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`;
      const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement.firstElementChild;
      drawing.id = this.table.prefix + name;
      this.definitions.append(document.importNode(drawing, true));
      this.known.push(name);
    }
  }

  drawLabels({ labels, box: [left, top, , height] }) {
    const drawn = labels.map(({ text, x, y }) => {
      const label = svgElement("text", { x: x ?? left - GUTTER / 2, y: (y ?? top + height + GUTTER / 2) + 5 });
      label.textContent = text;
      return label;
    });
    this.labels.replaceChildren(...drawn);
  }

  fit([x, y, width, height], moving) {
    this.whole = [x - GUTTER, y, width + GUTTER, height + GUTTER];
    this.aim(moving);
  }

  /* Shows the whole board, or the part that is zoomed in on. */
  aim(moving) {
    this.asked.length && this.ask([]);
    const duration = moving && motionOf(this.root) ? GROWTH : 0;
    const goal = this.zoom.seen(this.whole);
    const start = this.seen ?? goal;
    const began = performance.now();
    this.seen = goal;
    const step = (now) => {
      const share = duration ? Math.min(1, (now - began) / duration) : 1;
      const eased = 1 - (1 - share) ** 3;
      if (this.seen === goal) {
        this.svg.setAttribute("viewBox", goal.map((to, at) => start[at] + (to - start[at]) * eased).join(" "));
        share < 1 && requestAnimationFrame(step);
      }
    };
    step(began);
  }

  // Touches

  /* Touches a target. :returns: whether it could be touched. */
  touch(target) {
    const { spelling } = this;
    if (this.ahead.takes(target)) {
      return true;
    }
    const node = spelling.reach().get(target);
    if (node) {
      this.take(node);
    } else if (target === spelling.here) {
      spelling.token ? this.confirm() : this.back();
    } else if (spelling.backTo(target)) {
      this.take(spelling.reach().get(target));
    } else {
      this.refusing.answer(target);
      return false;
    }
    return true;
  }

  take(node) {
    this.spelling.take(node);
    this.changed();
    const { token, at, turns } = this.spelling;
    if (!this.confirms && token && at === node && !at.k && turns.length < 2) {
      this.confirm();
    }
  }

  turn(by) {
    this.spelling.turn(by);
    this.changed();
  }

  goTo(ends) {
    this.spelling.goTo(ends);
    this.changed();
  }

  back() {
    if (this.asked.length) {
      this.ask([]);
    } else if (this.spelling.back()) {
      this.changed();
    } else {
      this.emit("atta:undo");
    }
  }

  async confirm() {
    const { token } = this.spelling;
    if (!token || this.busy) {
      return;
    }
    this.busy = true;
    this.root.setAttribute("aria-busy", "true");
    this.emit("atta:act", { token });
    try {
      await this.onAct?.(token);
    } catch (error) {
      this.ahead.forget();
      this.refuse(error);
    } finally {
      this.busy = false;
      this.root.removeAttribute("aria-busy");
    }
    this.ahead.go();
  }

  get confirms() {
    return this.root.dataset.confirm !== "no";
  }

  refuse({ message, rule = "", target = this.spelling.here }) {
    this.asked = [];
    this.refusing.explain([message, rule].filter(Boolean).join(" "), target);
    this.refusing.shake();
  }

  /* Why something was not done, as long as it is said. */
  get reason() {
    return this.refusing.reason;
  }

  /* Asks which target is meant when several are too close together for a thumb; without any, asks no longer. */
  ask(targets) {
    this.asked = targets;
    this.beside.forEach((part) => part.update());
    this.say(targets.length ? this.text("which") : this.whatNext());
  }

  changed() {
    const { spelling } = this;
    const { token, spelled } = spelling;
    this.refusing.forget();
    this.asked = [];
    this.render();
    this.emit("atta:part", { spelled, token });
    if (token) {
      this.emit("atta:chosen", { token });
    }
    this.say(token ? `${spelling.sentence} ${this.text("confirm")}` : this.whatNext());
  }

  whatNext() {
    const { sentence, endsHere } = this.spelling;
    return [sentence && `${sentence}.`, this.ways(endsHere.length)].filter(Boolean).join(" ");
  }

  /* How many actions there are; before a card is named, the question for it. */
  ways(count) {
    return this.isClosed && !this.spelling.path.length ? this.position.picker.label : this.text("ways", { count });
  }

  // Drawing

  render() {
    const { spelling, marks } = this;
    const reach = spelling.reach();
    marks.clear();
    const around = spelling.around();
    around.forEach((node, target) => target !== spelling.here && marks.put(target, this.kindOf(target), this.signsOf(node)));
    if (!spelling.path.length) {
      this.position.must.forEach(({ target }) => marks.put(target, "must"));
    }
    this.drawPath();
    this.targets.cover(reach);
    this.beside.forEach((part) => part.update());
  }

  kindOf(target) {
    const { path } = this.spelling;
    if (this.position.places[target]) {
      return "lay";
    }
    return path.some((node) => !isChoice(node)) ? "reach" : "can";
  }

  signsOf(node) {
    const { d = "" } = node;
    if (this.position.places[node.t]) {
      return { dots: Math.max(1, this.spelling.turnsOf(node).length) };
    }
    return /^[1-4]$/.test(d) ? { dots: Number(d) } : { badge: d };
  }

  drawPath() {
    const { spelling, marks } = this;
    const touched = spelling.path.filter((node) => !isChoice(node));
    touched.forEach((node) => {
      const isLast = node.t === spelling.here;
      if (!isLast || !spelling.token || this.scene.pieces.get(node.t)?.layer) {
        marks.put(node.t, "picked");
      } else {
        marks.put(node.t, "chosen");
      }
    });
    this.drawComing(spelling.path);
    if (spelling.token && this.position.places[spelling.here]) {
      marks.ticks(spelling.here);
    }
  }

  /* Draws the paths of a series of touches and the ghosts at their ends, one ghost per piece. */
  drawComing(route) {
    const ghosts = new Map();
    route.forEach(({ g, gg = [] }) => [g, ...gg].forEach((ghost) => ghost && ghosts.set(ghost.id, ghost)));
    route.forEach(({ w }) => w && this.marks.way(w));
    ghosts.forEach((ghost) => {
      const piece = { ...this.scene.pieces.get(ghost.id), ...ghost };
      this.marks.ghost(piece, !this.scene.pieces.has(ghost.id));
    });
  }

  /* Previews what touching a target would do, while the pointer or the focus is on it. */
  point(target) {
    const node = this.spelling.reach().get(target);
    const isOver = (mark) => mark.dataset.target === target;
    this.svg.querySelectorAll(".mark").forEach((mark) => mark.classList.toggle("over", isOver(mark)));
    this.svg.classList.toggle("touchable", Boolean(target));
    this.marks.preview(() => node && this.drawComing([node, ...this.spelling.turnsOf(node).slice(0, 1)]));
  }

  nameOf(target) {
    const { spelling } = this;
    const levels = [spelling.path.length, ...spelling.steps];
    return levels.map((level) => spelling.reach(level).get(target)?.s).find(Boolean) ?? this.scene.pieces.get(target)?.title ?? target;
  }

  // Texts

  text(key, values = {}) {
    const text = this.root.dataset[`says${key[0].toUpperCase()}${key.slice(1)}`] ?? "";
    return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  }

  say(text) {
    this.live.textContent = text;
  }

  emit(name, detail = {}) {
    this.root.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }
}
