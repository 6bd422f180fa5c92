/* Spreads targets that lie too close together for a thumb: a disc for each, as large as a thumb, on the side on which it
   lies. Touching a disc touches its target; a touch anywhere else closes the fan.

   new Fan(board)
     .update()            draws the discs of the board's `asked` targets
     .targetAt(event)     the target of the disc that a click hits, or null */

import { fillPiece, svgElement } from "./scene.js";

const DISC = 24;
const APART = 4;
const FILLED = 0.72;
const LETTERS = 8;

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
