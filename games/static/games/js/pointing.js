/* Follows the pointer over a board: what it hovers, touches and drags. A thumb is wider than an ant, so a
   touch hits targets within 22 pixels, the nearest first. Dragging does the same as touching twice. */

const THUMB = 22;
const DRAG = 8;
const COARSE = 4;
const UNSURE = 9;
const TINY = 24;

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
