/* Enlarges a board: by a button where its cells are smaller than a thumb, by two fingers anywhere. Then dragging the
   ground moves what is seen.

   <button data-zoom aria-pressed="false" hidden>   in the stage; offered when cells are small */

const SMALL = 52;
const TIMES = 2;
const MOST = 5;
const LEAST = 1.05;

export class Zoom {
  constructor(board) {
    this.board = board;
    this.button = board.stage.querySelector("[data-zoom]");
    this.middle = null;
    this.times = TIMES;
    this.fingers = new Map();
    this.pinch = null;
    const { svg } = board;
    svg.addEventListener("pointerdown", (event) => this.touchBy(event));
    svg.addEventListener("pointermove", (event) => this.moveBy(event));
    ["pointerup", "pointercancel"].forEach((name) => svg.addEventListener(name, (event) => this.release(event)));
    this.button?.addEventListener("click", () => this.toggle());
    board.svg.addEventListener("focusin", ({ target }) => this.follow(target));
    new ResizeObserver(() => this.offer()).observe(board.stage);
  }

  get isOn() {
    return Boolean(this.middle);
  }

  toggle() {
    const [x, y, width, height] = this.board.whole;
    this.middle = this.isOn ? null : [x + width / 2, y + height / 2];
    this.times = TIMES;
    this.showState();
    this.board.aim(true);
  }

  showState() {
    this.button?.setAttribute("aria-pressed", String(this.isOn));
    this.offer();
  }

  // Two fingers

  touchBy({ pointerType, pointerId, clientX, clientY }) {
    if (pointerType === "touch") {
      this.fingers.set(pointerId, [clientX, clientY]);
    }
    if (this.fingers.size === 2) {
      const { apart, x, y } = this.spread();
      const at = this.board.pointing.inBoard({ clientX: x, clientY: y });
      this.pinch = { apart, at, times: this.isOn ? this.times : 1 };
      this.board.pointing.leave();
    }
  }

  moveBy({ pointerId, clientX, clientY }) {
    if (this.fingers.has(pointerId)) {
      this.fingers.set(pointerId, [clientX, clientY]);
      this.pinch && this.stretch();
    }
  }

  release({ pointerId }) {
    this.fingers.delete(pointerId);
    this.pinch = null;
  }

  spread() {
    const [[x, y], [u, v]] = this.fingers.values();
    return { apart: Math.hypot(u - x, v - y), x: (x + u) / 2, y: (y + v) / 2 };
  }

  /* What was between the fingers stays there. */
  stretch() {
    const { apart, x, y } = this.spread();
    const { svg, whole } = this.board;
    this.times = Math.min(MOST, (this.pinch.times * apart) / this.pinch.apart);
    const box = svg.getBoundingClientRect();
    const unit = this.times * Math.min(svg.clientWidth / whole[2], svg.clientHeight / whole[3]);
    const way = Math.sign(svg.getScreenCTM().a); // seen from the other side, to the left is to the right
    const [across, along] = [way * (x - box.left - box.width / 2), way * (y - box.top - box.height / 2)];
    this.middle = this.times < LEAST ? null : [this.pinch.at[0] - across / unit, this.pinch.at[1] - along / unit];
    this.board.aim(false);
    this.showState();
  }

  /* The visible part of the board. */
  seen([x, y, width, height]) {
    const { clientWidth, clientHeight } = this.board.svg;
    if (!this.isOn) {
      return [x, y, width, height];
    }
    const scale = this.times * Math.min(clientWidth / width, clientHeight / height);
    const [across, along] = [Math.min(width, clientWidth / scale), Math.min(height, clientHeight / scale)];
    const left = Math.max(x, Math.min(this.middle[0] - across / 2, x + width - across));
    const top = Math.max(y, Math.min(this.middle[1] - along / 2, y + height - along));
    this.middle = [left + across / 2, top + along / 2];
    return [left, top, across, along];
  }

  pan(across, along) {
    const unit = this.board.svg.getScreenCTM().a;
    this.middle = [this.middle[0] - across / unit, this.middle[1] - along / unit];
    this.board.aim(false);
  }

  /* Keeps the focused target in view. */
  follow(target) {
    if (this.isOn && target.matches(":focus-visible") && target.dataset.target) {
      this.middle = this.board.marks.middleOf(target.dataset.target);
      this.board.aim(false);
    }
  }

  offer() {
    const { position, svg, scene, marks } = this.board;
    if (this.button && position) {
      const ground = [...scene.pieces.values()].filter(({ layer = 0, title }) => !layer && title);
      const sizes = ground.map(({ id }) => marks.boundsOf(id)).map(({ w, h }) => Math.min(w, h));
      this.button.hidden = !this.isOn && Math.min(...sizes) * this.board.unit >= SMALL;
    }
  }
}
