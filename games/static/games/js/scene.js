/* Draws and moves the pieces of a board and of the trays beside it. It knows pieces that move, appear and disappear,
   but no game.

   fold(before, frame)             what is where after a frame of engine.scene.frames
   new Table(svg)                  the pieces of an SVG with groups of the class `layer` and one of the class `traces`;
                                   data-prefix="…" on it if its ids have a prefix
   new Tray(element)               one seat's tray
   homeOf(before, after)           the tray on the page to which what is gone from the board was brought, if to any
   waysOf(traces, forward)         the path each piece walks in a step, without its ends
   motionOf(element)               how many milliseconds a move takes
   isTyping(element)               whether the focused element takes the keys
   write(element, text)            text that is drawn anew only where it changes
   squareAround(box)               the square in which a drawing is shown alone
   fillPiece(group, piece, prefix), svgElement(tag, attributes)   parts of the above
   htmlElement(tag, attributes, ...children)   an HTML element; attributes that are false or null are left out */

const FLIGHT = 2.5;
const SVG = "http://www.w3.org/2000/svg";

/* Where everything is after a frame; the maps of the previous ply are not modified. */
export function fold(before, frame) {
  const was = frame.whole || !before ? { pieces: [], trays: [], lines: [] } : before;
  const pieces = new Map(was.pieces);
  const trays = new Map(was.trays);
  const lines = was.lines.slice(0, frame.height);
  frame.gone.forEach((id) => pieces.delete(id));
  frame.put.forEach((piece) => pieces.set(piece.id, piece));
  frame.trays.forEach((tray) => trays.set(tray.seat, { ...trays.get(tray.seat), ...tray }));
  Object.entries(frame.lines).forEach(([row, line]) => (lines[row] = line));
  return { pieces, trays, lines, traces: frame.traces, caption: frame.caption };
}

export function svgElement(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

export function htmlElement(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== false && value !== null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/* Writes a text. The same text once more would be laid out and painted again. */
export function write(element, text) {
  const wanted = String(text);
  if (element.textContent !== wanted) {
    element.textContent = wanted;
  }
}

/* Whether two pieces look the same: a piece fetched twice is two objects. */
function same(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/* The pieces of one SVG. Attributes always hold the final place, and animations run on top of them: CSS transitions
   would not work, since not every browser applies changes of the transform attribute to its styles. */
export class Table {
  constructor(svg) {
    this.layers = [...svg.querySelectorAll(".layer")];
    this.traces = svg.querySelector(".traces");
    this.prefix = svg.dataset.prefix ?? "";
    this.elements = new Map([...svg.querySelectorAll(".piece")].map((element) => [element.dataset.id, element]));
    this.shown = new Map();
    this.leaving = new Set();
    this.moving = new WeakMap(); // asking the browser for the animations of a piece would style the whole page each time
  }

  /* Takes the pieces as already drawn, so that from here on only differences are drawn. */
  adopt(pieces) {
    this.shown = pieces;
  }

  show(pieces, { motion = 0, paths = new Map(), home = null } = {}) {
    if (pieces.size === this.shown.size && [...pieces].every(([id, piece]) => same(this.shown.get(id), piece))) {
      return; // what leaves goes on leaving
    }
    this.leaving.forEach((element) => element.remove());
    this.leaving.clear();
    for (const id of this.elements.keys()) {
      if (!pieces.has(id)) {
        this.remove(id, motion, home);
      }
    }
    for (const [id, piece] of pieces) {
      if (!this.elements.has(id)) {
        this.add(piece, motion);
      } else if (!same(this.shown.get(id), piece)) {
        this.change(piece, this.shown.get(id), motion, paths.get(id) ?? []);
      }
    }
    this.shown = pieces;
  }

  remove(id, motion, home) {
    const element = this.elements.get(id);
    this.elements.delete(id);
    if (!motion) {
      element.remove();
      return;
    }
    home && carry(element, home, FLIGHT * motion);
    this.leaving.add(element);
    fade(element, [1, 0], motion).onfinish = () => {
      element.remove();
      this.leaving.delete(element);
    };
  }

  add(piece, motion) {
    const element = svgElement("g", { "data-id": piece.id });
    fillPiece(element, piece, this.prefix);
    this.elements.set(piece.id, element);
    const layer = this.layers[piece.layer] ?? this.layers[0];
    const follower = [...layer.children].find((other) => other.dataset.id > piece.id);
    layer.insertBefore(element, follower ?? null);
    if (motion) {
      this.moving.set(element, [fade(element, [0, 1], motion)]);
    }
  }

  change(piece, before, motion, path) {
    const element = this.elements.get(piece.id);
    const moving = this.moving.get(element) ?? [];
    const isOnItsWay = moving.some((animation) => animation?.playState === "running");
    const stood = motion && isOnItsWay && getComputedStyle(element).transform;
    moving.forEach((animation) => animation?.cancel());
    this.moving.delete(element);
    refill(element, piece, before, this.prefix);
    if (motion && before) {
      const along = path.map(([x, y]) => place(x, y));
      const places = [stood && stood !== "none" ? stood : place(before.x, before.y), ...along, place(piece.x, piece.y)];
      const sizes = [before, piece].map(({ size = 1 }) => `scale(${size})`);
      this.moving.set(element, [
        run(element, places, motion),
        run(element.querySelector("use"), [pose(before, piece), pose(piece)], motion),
        ...[...element.querySelectorAll("text")].map((text) => run(text, sizes, motion)),
      ]);
    }
  }

  drawTraces(traces) {
    const lines = traces.map(({ kind, points }) => ({ class: `trace ${kind}`, points: points.join(" ") }));
    this.traces.replaceChildren(...lines.map((line) => svgElement("polyline", line)));
  }
}

/* Lets what leaves the board fly to where it is kept from now on, above everything on the page. */
function carry(element, home, duration) {
  const { ownerSVGElement: board } = element;
  const [from, to] = [element, home].map((one) => one.getBoundingClientRect());
  const unit = Math.abs(board.getScreenCTM().a);
  const [width, height] = [from.width / unit, from.height / unit];
  const flying = svgElement("svg", { class: "board flying", viewBox: [-width / 2, -height / 2, width, height].join(" "), "aria-hidden": "true" });
  const copy = element.cloneNode(true);
  copy.removeAttribute("transform");
  flying.append(copy);
  Object.assign(flying.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px`, height: `${from.height}px` });
  document.body.append(flying);
  const [across, down] = [to.left - from.left + (to.width - from.width) / 2, to.top - from.top + (to.height - from.height) / 2];
  const way = [{ transform: "none" }, { transform: `translate(${across}px, ${down}px) scale(.6)`, opacity: 0.4 }];
  flying.animate(way, { duration, easing: "ease-in-out" }).onfinish = () => flying.remove();
}

function fade(element, [from, to], duration) {
  return element.animate([{ opacity: from }, { opacity: to }], { duration, easing: "ease-out", fill: to ? "none" : "forwards" });
}

/* Moves an element and returns its animation; none where it stays. */
function run(element, transforms, duration) {
  if (new Set(transforms).size > 1) {
    return element.animate(
      transforms.map((transform) => ({ transform })),
      { duration, easing: "ease-out" },
    );
  }
}

function place(x, y) {
  return `translate(${x}px, ${y}px)`;
}

/* The rotation and scale of a drawing; with a next pose, rotated the shorter way round. */
function pose({ turn = 0, size = 1 }, next) {
  const beside = next?.turn ?? turn;
  const near = next ? beside + ((((turn - beside + 180) % 360) + 360) % 360) - 180 : turn;
  return `rotate(${near}deg) scale(${size})`;
}

/* Fills a group with a piece, the way engine.scene.svg draws it. */
export function fillPiece(element, piece, prefix) {
  const { symbol, x, y, turn = 0, size = 1, classes = [], text = "", name = "", title = "" } = piece;
  element.setAttribute("class", ["piece", ...classes].join(" "));
  element.setAttribute("transform", `translate(${x} ${y})`);
  const parts = [svgElement("use", { href: `#${prefix}${symbol}`, transform: `rotate(${turn}) scale(${size})` })];
  if (title) {
    parts.unshift(svgElement("title"));
    parts[0].textContent = title;
  }
  if (text) {
    parts.push(svgElement("text", { class: "number", y: 6.8, transform: `scale(${size})` }));
    parts.at(-1).textContent = text;
  }
  if (text && name) {
    const small = { "font-size": 15, display: "none" };
    parts.push(svgElement("text", { class: "name", y: 5.4, ...small, transform: `scale(${size})` }));
    parts.at(-1).textContent = name;
  }
  element.replaceChildren(...parts);
}

/* Fills a group with a piece where it had another state of it. A drawing that stays is kept: a new one would have to be
   laid out with all its parts. */
function refill(element, piece, before, prefix) {
  const drawn = ({ symbol, text = "", name = "", title = "" }) => [symbol, text, name, !title].join("\n");
  if (!before || drawn(before) !== drawn(piece)) {
    fillPiece(element, piece, prefix);
    return;
  }
  const { x, y, turn = 0, size = 1, classes = [], title = "" } = piece;
  const wanted = ["piece", ...classes].join(" ");
  if (element.getAttribute("class") !== wanted) {
    element.setAttribute("class", wanted);
  }
  element.setAttribute("transform", `translate(${x} ${y})`);
  if (turn !== (before.turn ?? 0) || size !== (before.size ?? 1)) {
    element.querySelector("use").setAttribute("transform", `rotate(${turn}) scale(${size})`);
    element.querySelectorAll("text").forEach((text) => text.setAttribute("transform", `scale(${size})`));
  }
  if (title !== (before.title ?? "")) {
    element.querySelector("title").textContent = title;
  }
}

/* One tray beside the board. */
export class Tray {
  constructor(element) {
    this.element = element;
    const svg = element.querySelector("svg");
    this.table = svg && new Table(svg);
    this.shown = null;
  }

  show(tray) {
    if (!tray || this.shown === tray) {
      return;
    }
    this.shown = tray;
    this.table?.show(new Map(tray.pieces.map((piece) => [piece.id, piece])));
    this.each("[data-count]", (part) => write(part, tray.counts[part.dataset.count] ?? ""));
    this.each("[data-mark]", (part) => (part.hidden = !tray.marks.includes(part.dataset.mark)));
    this.each("[data-said]", (part) => write(part, tray.said));
    this.each("[data-place]", (part) => {
      part.hidden = tray.place === null;
      write(part, tray.place ?? "");
    });
    this.element.dataset.marks = tray.marks.join(" ");
  }

  each(selector, act) {
    this.element.querySelectorAll(selector).forEach(act);
  }
}

/* The tray of the one seat of whose counts one grew while its first, what it has in play, did not shrink. */
export function homeOf(before, after) {
  const [home, ...others] = [...after.trays.values()].filter(({ seat, counts = {} }) => {
    const was = before?.trays.get(seat)?.counts;
    const grown = was && Object.keys(counts).map((key) => counts[key] - (was[key] ?? 0));
    return grown && grown[0] >= 0 && grown.some((more) => more > 0);
  });
  return home && !others.length ? document.querySelector(`[data-tray="${home.seat}"]`) : null;
}

/* The paths of the pieces in a step: those of the action done, or, reversed, of the one undone. Their ends are omitted,
   because the pieces are in their own places there. */
export function waysOf(traces, forward = true) {
  const ways = traces.flatMap(({ pieces = [], points }) => {
    const way = forward ? points.slice(1, -1) : points.slice(1, -1).reverse();
    return pieces.map((piece) => [piece, way]);
  });
  return new Map(ways);
}

export function motionOf(element) {
  return parseFloat(getComputedStyle(element).getPropertyValue("--motion")) || 0;
}

export function isTyping(element) {
  return element.isContentEditable || Boolean(element.closest("input, select, textarea, dialog[open]"));
}

/* The square in which a drawing is shown alone; a usual one where it cannot be measured, as nothing is seen of it. */
export function squareAround({ x, y, width, height }) {
  const side = Math.max(width, height) + 4;
  return width ? [x + (width - side) / 2, y + (height - side) / 2, side, side] : [-50, -50, 100, 100];
}
