/* Makes what can be touched on a board focusable: a transparent button over each target, for the keyboard and for screen
   readers. */

import { svgElement } from "./scene.js";

const ROWS = 30;

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
