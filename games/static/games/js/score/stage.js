/** What stands about the board: the round, whose turn it is, the steps through the game, and how somebody leaves it.
 *
 * new Atta.Stage(root, {texts, onPly(ply), onAct(token)}) */

const Atta = (globalThis.Atta ??= {});

class Stage {
  constructor(root, options) {
    this.options = options;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.part("steps").addEventListener("click", ({ target }) => this.step(target.closest("[data-step]")));
    this.part("leave").addEventListener("click", ({ target }) => this.leave(target.closest("[data-token]")));
  }

  /** Shows a position of a game, of which so many actions are legal; or that there is none. */
  show(shown) {
    this.shown = shown;
    this.part("steps").hidden = this.part("stage-says").hidden = !shown;
    if (!shown) return;
    const { position, legal, seats } = shown;
    const { texts } = this.options;
    const earlier = position.ply < legal;
    this.part("round").textContent = position.over && !earlier ? texts.over : texts.round.replace("{n}", position.number);
    this.part("turns").replaceChildren(...seats.map((seat) => seatChip(seat, position.turn)));
    this.part("stage-at").textContent = `${position.ply} / ${legal}`;
    this.part("earlier").hidden = !earlier;
    for (const [step, off] of Object.entries({ first: !position.ply, back: !position.ply, on: !earlier, last: !earlier }))
      this.part("steps").querySelector(`[data-step=${step}]`).disabled = off;
    this.part("leave").hidden = !position.turn;
    this.part("leave").querySelector("[data-token=draw]").hidden = seats.length !== 2;
  }

  step(button) {
    if (!button || !this.shown) return;
    const at = this.shown.position.ply;
    this.options.onPly({ first: 0, back: Math.max(0, at - 1), on: at + 1, last: null }[button.dataset.step]);
  }

  /** What ends a game, or a seat's part in it, without the board: as every game writes it (AGN-ADMIN). */
  leave(button) {
    if (!button) return;
    this.part("leave").open = false;
    this.options.onAct(button.dataset.token.replace("{turn}", this.shown.position.turn));
  }
}

function seatChip({ letter, name, colour }, turn) {
  const [seat, chip, said] = ["span", "span", "bdi"].map((tag) => document.createElement(tag));
  seat.className = `stage-seat${letter === turn ? " turn" : ""}`;
  if (letter === turn) seat.setAttribute("aria-current", "true");
  chip.className = `chip small seat-${colour}`;
  chip.textContent = letter;
  said.textContent = name;
  seat.append(chip, said);
  return seat;
}

Atta.Stage = Stage;
