/* The timeline of a replay, which is its slider too: games/records/timeline.html has the markup. It knows no game.

   line = new Timeline(root, last, onPly)
     onPly(ply)    the reader goes somewhere
   .show(ply)      marks the ply that is shown */

const NEAR = 6;

export class Timeline {
  constructor(root, last, onPly) {
    Object.assign(this, { root, last, onPly });
    this.way = root.querySelector("[data-way]");
    this.drawing = root.querySelector(".timeline-drawing");
    this.tip = root.querySelector("[data-tip]");
    this.events = [...root.querySelectorAll("[data-event]")];
    // One stop for the tab key: from there, the arrow keys go from event to event.
    this.events.forEach((event, at) => event.setAttribute("tabindex", at ? -1 : 0));
    this.drawing.addEventListener("pointerdown", (event) => this.grab(event));
    this.drawing.addEventListener("pointermove", (event) => this.move(event));
    this.drawing.addEventListener("pointerleave", () => this.hide());
    this.drawing.addEventListener("click", (event) => event.target.closest("[data-event]") && event.preventDefault());
    this.drawing.addEventListener("keydown", (event) => this.key(event));
    this.drawing.addEventListener("focusin", ({ target }) => this.name(target.closest("[data-event]")));
    this.drawing.addEventListener("focusout", () => this.hide());
    this.drawing.querySelectorAll("title").forEach((title) => title.remove());
  }

  show(ply) {
    const share = (100 * ply) / this.last;
    const here = this.root.querySelector("[data-here]");
    const veil = this.root.querySelector("[data-veil]");
    here.setAttribute("x1", `${share}%`);
    here.setAttribute("x2", `${share}%`);
    veil.setAttribute("x", `${share}%`);
    veil.setAttribute("width", `${100 - share}%`);
  }

  grab(event) {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey) {
      return;
    }
    this.held = true;
    this.drawing.setPointerCapture?.(event.pointerId);
    this.drawing.addEventListener("lostpointercapture", () => (this.held = false), { once: true });
    this.steer(event);
  }

  move(event) {
    if (this.held) {
      this.steer(event);
    }
    this.name(this.nearest(event), event);
  }

  steer(event) {
    const near = this.nearest(event);
    this.onPly(near ? Number(near.dataset.event) : this.plyAt(event));
  }

  plyAt({ clientX }) {
    const { left, width } = this.drawing.getBoundingClientRect();
    return Math.round(Math.max(0, Math.min(1, (clientX - left) / width)) * this.last);
  }

  /* The event under the pointer, or so near that it is meant. */
  nearest({ clientX, clientY }) {
    const far = (event) => {
      const { left, top, width, height } = event.getBoundingClientRect();
      return Math.max(Math.abs(left + width / 2 - clientX), Math.abs(top + height / 2 - clientY) / 1.5);
    };
    const found = this.events.map((event) => [far(event), event]).sort(([one], [other]) => one - other)[0];
    return found && found[0] <= NEAR ? found[1] : null;
  }

  name(event) {
    if (!event) {
      this.hide();
      return;
    }
    this.tip.textContent = event.getAttribute("aria-label");
    this.tip.hidden = false;
    const [room, mark] = [this.way.getBoundingClientRect(), event.getBoundingClientRect()];
    const left = mark.left + mark.width / 2 - room.left - this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(0, Math.min(left, room.width - this.tip.offsetWidth))}px`;
  }

  hide() {
    this.tip.hidden = true;
  }

  key(event) {
    const at = this.events.indexOf(event.target.closest("[data-event]"));
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (at < 0 || event.metaKey || event.ctrlKey || event.altKey) {
      return;
    }
    if (event.key in steps) {
      const next = this.inOrder()[this.inOrder().indexOf(this.events[at]) + steps[event.key]];
      next?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.onPly(Number(this.events[at].dataset.event));
    } else {
      return;
    }
    event.preventDefault();
  }

  inOrder() {
    return [...this.events].sort((one, other) => one.dataset.event - other.dataset.event);
  }
}
