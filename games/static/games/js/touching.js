/* What is touched on a board: by a pointer, among targets that keyboards and screen readers find as well. */

import { fillPiece, svgElement } from "./scene.js";

const THUMB = 22;
const DRAG = 8;
const COARSE = 4;
const UNSURE = 9;
const TINY = 24;
const ROWS = 30;
const DISC = 24;
const APART = 4;
const FILLED = 0.72;
const LETTERS = 8;

/* Follows the pointer over a board: what it hovers, touches and drags. A thumb is wider than an ant, so a
   touch hits targets within 22 pixels, the nearest first. Dragging does the same as touching twice. */
export class Pointing {
  constructor(board) {
    this.board = board;
    const { svg } = board;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.end());
    svg.addEventListener("pointerleave", () => this.hover(null));
    svg.addEventListener("click", (event) => this.click(event));
    svg.addEventListener("focusin", ({ target }) => this.hover(target.dataset.target ?? null));
    svg.addEventListener("focusout", () => this.hover(null));
  }

  click(event) {
    if (this.board.asked.length && !this.dragged) {
      this.choose(this.board.fan.targetAt(event));
      return;
    }
    // A click without a pointer, such as a screen reader's, carries its own target.
    const target = event.detail ? this.at(event) : event.target.closest("[data-target]")?.dataset.target;
    const close = event.pointerType === "touch" ? this.closeTo(event) : [];
    if (!this.dragged && close.length > 1) {
      this.board.ask(close);
    } else if (!this.dragged && target) {
      this.board.touch(target);
    }
    this.dragged = false;
  }

  /* Touches what a fan offers; nothing of it closes the fan. */
  choose(target) {
    if (target) {
      this.board.touch(target);
    } else {
      this.board.ask([]);
    }
  }

  down(event) {
    if (event.button || !event.isPrimary) {
      return;
    }
    this.dragged = false;
    this.start = this.board.position ? { target: this.at(event), x: event.clientX, y: event.clientY } : null;
  }

  move(event) {
    const { start, board } = this;
    if (!start || !event.buttons) {
      this.hover(event.pointerType === "touch" ? null : this.at(event));
      return;
    }
    if (!this.dragged && Math.hypot(event.clientX - start.x, event.clientY - start.y) > DRAG) {
      this.begin(event);
    }
    if (this.panning) {
      board.zoom.pan(event.clientX - start.x, event.clientY - start.y);
      Object.assign(start, { x: event.clientX, y: event.clientY });
    } else if (this.dragged) {
      this.carry(event);
      const over = this.at(event);
      this.hover(board.spelling.reach().has(over) ? over : null);
    }
  }

  begin(event) {
    const { board, start } = this;
    this.dragged = true;
    board.svg.setPointerCapture(event.pointerId);
    this.panning = board.zoom.isOn && !board.scene.pieces.get(start.target)?.layer;
    if (this.panning || !start.target) {
      return;
    }
    const isReached = board.spelling.reach().has(start.target);
    const isGround = !isReached && start.target !== board.spelling.here && !board.scene.pieces.get(start.target)?.layer;
    if (isGround) {
      return; // dragging over the ground is no touch
    }
    this.dragging = isReached || start.target !== board.spelling.here ? board.touch(start.target) : true;
    const element = board.table.elements.get(start.target);
    this.carried = this.dragging && board.scene.pieces.get(start.target)?.layer ? element?.cloneNode(true) : null;
    if (this.carried) {
      this.carried.classList.add("carried-along");
      board.marks.over.append(this.carried);
    }
  }

  carry(event) {
    const [x, y] = this.inBoard(event);
    this.carried?.setAttribute("transform", `translate(${x} ${y})`);
  }

  up(event) {
    const { board } = this;
    if (this.dragged && this.dragging) {
      const over = this.at(event);
      if (board.spelling.reach().has(over)) {
        board.touch(over);
      } else if (over !== board.spelling.here) {
        board.back();
      }
    }
    this.end();
  }

  /* The touch is no longer this one's, but that of two fingers. */
  leave() {
    this.end();
    this.dragged = true;
  }

  end() {
    this.carried?.remove();
    this.carried = this.start = null;
    this.dragging = this.panning = false;
  }

  hover(target) {
    if (this.over !== target) {
      this.over = target;
      this.board.point(target);
    }
  }

  inBoard({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.board.svg.getScreenCTM().inverse());
    return [x, y];
  }

  /* The target at a point on the screen: preferably one for the next touch, then the one just touched, then one that
     could have been touched instead, then one that cannot be touched. */
  at(event) {
    const { board } = this;
    if (!board.position) {
      return null;
    }
    const point = this.inBoard(event);
    const thumb = THUMB / board.unit;
    const tiers = this.tiers();
    return (
      first(tiers, (targets) => this.nearest(targets, point, 0)) ??
      first(tiers, (targets) => this.nearest(targets, point, thumb)) ??
      first(untouchable(board), (targets) => this.nearest(targets, point, 0))
    );
  }

  /* The targets a thumb cannot tell apart: small ones about as far away as the nearest, or tiny ones right beside it. */
  closeTo(event) {
    const { board } = this;
    const point = this.inBoard(event);
    const { unit } = board;
    const [targets] = this.tiers().filter((tier) => this.nearest(tier, point, THUMB / unit));
    const small = (targets ?? []).flatMap((target) => {
      const { x, y, w, h } = board.marks.boundsOf(target) ?? {};
      const middle = [x + w / 2, y + h / 2];
      const [away, size] = [distance(middle, point) * unit, Math.min(w, h) * unit];
      return size < 2 * THUMB ? [{ target, middle, away, size }] : [];
    });
    small.sort((one, other) => one.away - other.away);
    const [nearest] = small;
    const isBeside = ({ size, middle }) => Math.max(size, nearest.size, unit * distance(middle, nearest.middle)) < TINY;
    const close = small.filter((one) => one.away < THUMB && (one.away - nearest.away < UNSURE || isBeside(one)));
    return close.map(({ target }) => target);
  }

  tiers() {
    const { spelling } = this.board;
    const earlier = spelling.steps.map((level) => [...spelling.reach(level).keys()]).reverse();
    return [[...spelling.reach().keys()], spelling.here ? [spelling.here] : [], ...earlier];
  }

  /* The smallest target under a point, or else the nearest one. */
  nearest(targets, [x, y], reach) {
    const found = targets.flatMap((target) => {
      const bounds = this.board.marks.boundsOf(target);
      if (!bounds) {
        return [];
      }
      const across = Math.max(bounds.x - x, x - bounds.x - bounds.w, 0);
      const along = Math.max(bounds.y - y, y - bounds.y - bounds.h, 0);
      const away = Math.hypot(across, along);
      const size = Math.round(Math.log(bounds.w * bounds.h) / Math.log(COARSE));
      const middle = Math.hypot(bounds.x + bounds.w / 2 - x, bounds.y + bounds.h / 2 - y);
      return away <= reach ? [{ target, rank: [away ? 1 : 0, away ? away : size, middle] }] : [];
    });
    found.sort((one, other) => compare(one.rank, other.rank));
    return found[0]?.target ?? null;
  }
}

function first(tiers, find) {
  return tiers.reduce((found, targets) => found ?? find(targets), null);
}

function compare(one, other) {
  const at = one.findIndex((value, place) => value !== other[place]);
  return at < 0 ? 0 : one[at] - other[at];
}

function distance([x, y], [u, v]) {
  return Math.hypot(u - x, v - y);
}

/* Targets that refuse a touch: the pieces on the board, or else its ground. */
function untouchable({ scene }) {
  const named = [...scene.pieces.values()].filter(({ title }) => title);
  return [named.filter(({ layer }) => layer), named.filter(({ layer }) => !layer)].map((tier) => tier.map(({ id }) => id));
}

/* Makes what can be touched on a board focusable: a transparent button over each target, for the keyboard and for screen
   readers. */
export class Targets {
  constructor(board) {
    this.board = board;
    this.group = svgElement("g", { class: "targets" });
    board.svg.append(this.group);
  }

  get covers() {
    return [...this.group.children];
  }

  of(target) {
    return this.covers.find((cover) => cover.dataset.target === target) ?? null;
  }

  /* Covers each target with such an element, in reading order; only one of them is a tab stop. */
  cover(reach) {
    const focused = this.group.contains(document.activeElement);
    const { spelling, marks } = this.board;
    const { here } = spelling;
    const names = here && !reach.has(here) ? [here, ...reach.keys()] : [...reach.keys()];
    const covers = names.flatMap((target) => {
      const cover = marks.place(target);
      const label = target === here ? spelling.sentence : this.labelOf(reach.get(target));
      return cover ? [this.dress(cover, target, label)] : [];
    });
    covers.sort(inReadingOrder);
    covers.forEach((cover, at) => cover.setAttribute("tabindex", at ? -1 : 0));
    this.group.replaceChildren(...covers);
    if (focused) {
      (this.of(here) ?? covers[0])?.focus();
    }
  }

  dress(cover, target, label) {
    cover.setAttribute("class", "target");
    cover.setAttribute("role", "button");
    cover.setAttribute("aria-label", label);
    cover.dataset.target = target;
    if (target === this.board.spelling.here) {
      cover.setAttribute("aria-pressed", "true");
    }
    return cover;
  }

  labelOf(node) {
    const title = this.board.scene.pieces.get(node.t)?.title ?? "";
    const must = this.board.position.must.find(({ target }) => target === node.t)?.why;
    return [title && title !== node.s ? `${title}: ${node.s}` : node.s, must].filter(Boolean).join(". ");
  }
}

/* Row by row, from the left. */
function inReadingOrder(one, other) {
  const [row, next] = [one, other].map((cover) => Math.round(middle(cover, "y", "height") / ROWS));
  return row - next || middle(one, "x", "width") - middle(other, "x", "width");
}

function middle(cover, edge, size) {
  return Number(cover.getAttribute(edge)) + Number(cover.getAttribute(size)) / 2;
}

/* Spreads targets that lie too close together for a thumb: a disc for each, as large as a thumb, on the side on which it
   lies. Touching a disc touches its target; a touch anywhere else closes the fan.

   new Fan(board)
     .update()            draws the discs of the board's `asked` targets
     .targetAt(event)     the target of the disc that a click hits, or null */
export class Fan {
  constructor(board) {
    this.board = board;
    this.group = svgElement("g", { class: "fan" });
    board.svg.append(this.group);
  }

  update() {
    const { asked } = this.board;
    const unit = asked.length ? 1 / this.board.unit : 1;
    const discs = inside(spread(this.targets(asked), (DISC + APART) * unit), DISC * unit, this.room());
    const lines = discs.map(({ x, y, from: [x2, y2] }) => svgElement("path", { class: "fan-line", d: `M${x2} ${y2}L${x} ${y}` }));
    this.group.replaceChildren(...lines, ...discs.map((disc) => this.disc(disc, DISC * unit)));
  }

  targetAt({ target }) {
    return target.closest?.("[data-fanned]")?.dataset.fanned ?? null;
  }

  targets(asked) {
    return asked.map((target) => ({ target, from: this.board.marks.middleOf(target) }));
  }

  /* What is seen of the board, as far as the fan may reach: from the top left to the bottom right. */
  room() {
    const { pointing, svg } = this.board;
    const { left, top, right, bottom } = svg.getBoundingClientRect();
    const corners = [[left, top], [right, bottom]].map(([clientX, clientY]) => pointing.inBoard({ clientX, clientY }));
    return [Math.min, Math.max].map((most) => [0, 1].map((axis) => most(...corners.map((corner) => corner[axis]))));
  }

  disc({ target, x, y }, radius) {
    const { board } = this;
    const attributes = { class: "fan-disc", role: "button", tabindex: -1, "aria-label": board.nameOf(target) };
    const disc = svgElement("g", { ...attributes, transform: `translate(${x} ${y})` });
    disc.dataset.fanned = target;
    disc.append(svgElement("circle", { r: radius }), this.picture(target, 2 * FILLED * radius));
    return disc;
  }

  /* The piece, as large as the disc allows; a place has no picture, and is named. */
  picture(target, width) {
    const { board } = this;
    const piece = board.scene.pieces.get(target);
    const group = svgElement("g");
    if (piece) {
      const { box } = board.marks.drawingOf(piece.symbol);
      const size = width / Math.max(box.width, box.height);
      const [x, y] = [-size * (box.x + box.width / 2), -size * (box.y + box.height / 2)];
      fillPiece(group, { ...piece, x, y, size, turn: 0, title: "" }, board.table.prefix);
    } else {
      group.append(svgElement("text", { class: "fan-name", "font-size": (2 * width) / LETTERS }));
      group.lastChild.textContent = board.nameOf(target);
    }
    return group;
  }
}

/* Places targets on a circle about their middle, each as nearly as possible in its own direction. */
function spread(targets, apart) {
  const [x, y] = [0, 1].map((axis) => targets.reduce((sum, { from }) => sum + from[axis], 0) / targets.length);
  const angled = targets.map((one) => ({ ...one, angle: Math.atan2(one.from[1] - y, one.from[0] - x) }));
  angled.sort((one, other) => one.angle - other.angle);
  const step = (2 * Math.PI) / targets.length;
  const [across, along] = [Math.cos, Math.sin].map((part) => angled.reduce((sum, { angle }, at) => sum + part(angle - at * step), 0));
  const first = Math.atan2(along, across);
  const away = apart / Math.sin(step / 2);
  return angled.map(({ target, from }, at) => {
    const angle = first + at * step;
    return { target, from, x: x + away * Math.cos(angle), y: y + away * Math.sin(angle) };
  });
}

/* Moves all discs by the same way, until each is in the room. */
function inside(discs, radius, [[left, top], [right, bottom]]) {
  const by = (axis, least, most) => {
    const all = discs.map((disc) => disc[axis]);
    const [low, high] = [least + radius - Math.min(...all), most - radius - Math.max(...all)];
    return low > 0 ? low : Math.min(0, high);
  };
  const [across, along] = [by("x", left, right), by("y", top, bottom)];
  return discs.map((disc) => ({ ...disc, x: disc.x + across, y: disc.y + along }));
}
