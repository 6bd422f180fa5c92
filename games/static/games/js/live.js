/* Shows a game in progress, which updates by itself. It knows no game.

   <figure data-watched="/live/tables/KEY" data-after="37" data-prefix="…">    a game that updates by itself
     <svg class="board">       as engine.scene.svg writes it with live=True
     [data-watched-caption]       optional: what happened last; [data-watched-by]: how many are watching, as
                               worded in data-one and data-many, with {} for the number
   </figure>                   fires `atta:over` when the game is over */

import { fold, motionOf, Table, waysOf } from "./scene.js";
import { Stream } from "./stream.js";

class Watched {
  constructor(root) {
    this.root = root;
    this.svg = root.querySelector("svg.board");
    this.table = new Table(this.svg);
    this.caption = root.querySelector("[data-watched-caption]");
    this.watching = root.querySelector("[data-watched-by]");
    this.scene = null;
    this.stream = new Stream(root.dataset.watched, {
      after: Number(root.dataset.after),
      onEvent: (body) => this.take(body),
      onWatching: (count) => this.count(count),
    });
  }

  take(body) {
    if (body.symbols) {
      this.learn(body.symbols);
    }
    if (body.frame && (this.scene || body.frame.whole)) {
      this.show(body);
    }
    if (body.kind === "missed") {
      location.reload();
    }
    if (["ended", "cancelled"].includes(body.kind)) {
      this.stream.close();
      this.root.dispatchEvent(new CustomEvent("atta:over", { bubbles: true }));
    }
  }

  show({ frame, box }) {
    this.scene = fold(this.scene, frame);
    const motion = frame.whole ? 0 : motionOf(this.root);
    this.table.show(this.scene.pieces, { motion, paths: waysOf(this.scene.traces) });
    this.table.drawTraces(this.scene.traces);
    this.svg.setAttribute("aria-label", this.scene.caption);
    if (box) {
      this.svg.setAttribute("viewBox", box.join(" "));
    }
    if (this.caption) {
      this.caption.textContent = this.scene.caption;
    }
  }

  /* Adds the drawings the page does not have yet. */
  learn(symbols) {
    const definitions = this.svg.querySelector("defs");
    const prefix = this.table.prefix;
    for (const [name, markup] of Object.entries(symbols)) {
      if (!definitions.querySelector(`[id="${CSS.escape(prefix + name)}"]`)) {
        definitions.append(drawing(prefix + name, markup));
      }
    }
  }

  count(count) {
    if (this.watching) {
      const { one, many } = this.watching.dataset;
      this.watching.textContent = (count === 1 ? one : many).replace("{}", count);
      this.watching.hidden = !count;
    }
  }
}

function drawing(id, markup) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`, "image/svg+xml");
  const group = document.importNode(parsed.documentElement.firstElementChild, true);
  group.id = id;
  return group;
}

document.querySelectorAll("[data-watched]").forEach((root) => new Watched(root));
