/* Enlarges a board whose cells are smaller than a thumb. Then dragging the ground moves what is seen.

   <button data-zoom aria-pressed="false" hidden>   in the stage; it is offered where cells are small */

const SMALL = 52;
const TIMES = 2;

class Zoom {
  constructor(board) {
    this.board = board;
    this.button = board.stage.querySelector("[data-zoom]");
    this.middle = null;
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
    this.button.setAttribute("aria-pressed", String(this.isOn));
    this.board.aim(true);
  }

  /* What is seen of the whole board. */
  seen([x, y, width, height]) {
    const { clientWidth, clientHeight } = this.board.svg;
    if (!this.isOn) {
      return [x, y, width, height];
    }
    const scale = TIMES * Math.min(clientWidth / width, clientHeight / height);
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

  /* What has the focus is seen. */
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
      this.button.hidden = !this.isOn && Math.min(...sizes) * svg.getScreenCTM().a >= SMALL;
    }
  }
}

Object.assign((globalThis.Atta ??= {}), { Zoom });
