/** The area around the board: the round, whose turn it is, the steps through the game, and ways to leave it.
 *
 * new Stage(root, {texts, wanted(), onPly(ply), onAct(token)}); `wanted` is the position asked for last */

import { redraw } from "../redraw.js";

export class Stage {
  constructor(root, options) {
    this.options = options;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.part("steps").addEventListener("click", ({ target }) => this.step(target.closest("[data-step]")));
    this.part("leave").addEventListener("click", ({ target }) => this.leave(target.closest("[data-token]")));
  }

  /** Shows a position of a game and how many actions are legal, or that there is none. */
  show(shown) {
    this.shown = shown;
    this.part("steps").hidden = this.part("stage-says").hidden = !shown;
    if (!shown) return;
    const { position, legal, seats, gone } = shown;
    const { texts } = this.options;
    const earlier = position.ply < legal;
    this.part("round").textContent = position.over && !earlier ? texts.over : position.round.label;
    redraw(this.part("turns"), position.round.parts.map((one) => partOf(one, seats)));
    this.part("stage-at").textContent = `${position.ply} / ${legal}`;
    this.part("earlier").hidden = !earlier;
    for (const [step, off] of Object.entries({ first: !position.ply, back: !position.ply, on: !earlier, last: !earlier }))
      this.part("steps").querySelector(`[data-step=${step}]`).disabled = off;
    this.part("leave").hidden = !position.turn;
    redraw(this.part("resigning"), seats.filter(({ letter }) => !gone.includes(letter)).map((seat) => resigned(seat, texts)));
    this.part("leave").querySelector("[data-token=draw]").hidden = seats.length !== 2;
  }

  step(button) {
    if (!button || !this.shown) return;
    const at = this.options.wanted();
    this.options.onPly({ first: 0, back: Math.max(0, at - 1), on: at + 1, last: null }[button.dataset.step]);
  }

  /** Writes an action that ends a game, or a seat's part in it, without the board (AGN-ADMIN in every game). */
  leave(button) {
    if (!button) return;
    this.part("leave").open = false;
    this.options.onAct(button.dataset.token.replace("{turn}", this.shown.position.turn));
  }
}

/** A button for each seat that is still in the game, whoever's turn it is. */
function resigned({ letter, name, colour }, texts) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button small" });
  button.dataset.token = `resign:${letter}`;
  const chip = Object.assign(document.createElement("span"), { className: `chip small seat-${colour}`, textContent: letter });
  button.append(chip, ` ${texts.resigned.replace("{name}", name)}`);
  return button;
}

/** A part of the round: somebody's turn, or what is nobody's. */
function partOf({ at, seat: letter, label }, seats) {
  const part = document.createElement("span");
  part.className = `round-part ${at}`;
  if (at === "now") part.setAttribute("aria-current", "step");
  const seat = seats.find((one) => one.letter === letter);
  if (seat) {
    const chip = Object.assign(document.createElement("span"), { className: `chip small seat-${seat.colour}`, textContent: letter });
    part.append(chip, Object.assign(document.createElement("bdi"), { textContent: seat.name }));
  } else part.append(label ?? letter);
  return part;
}
