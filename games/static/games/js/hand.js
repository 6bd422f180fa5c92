/* A card in hand and the card that was drawn.

   [data-rotations] hidden          a button for each way to turn the card being laid; those that do not fit are
                                struck through. R and Shift R also turn it. With no place yet, it shows what to lay.
   [data-picker] hidden         asks which card was drawn, where that matters: groups of cards with how many of
                                them are left. A used-up card is still shown, but cannot be picked.
   [data-in-hand] hidden        the card in hand, until it is known where it will lie. */

import { squareAround, svgElement } from "./scene.js";
import { CHOICE } from "./spelling.js";

export class Hand {
  constructor(board) {
    this.board = board;
    this.turns = board.root.querySelector("[data-rotations]");
    this.picker = board.root.querySelector("[data-picker]");
    this.inHand = [...board.root.querySelectorAll("[data-in-hand]")];
    this.turns?.addEventListener("click", (event) => this.click(event));
    this.picker?.addEventListener("click", (event) => this.click(event));
  }

  click(event) {
    const button = event.target.closest("button");
    const act = this.acts?.get(button);
    act?.();
  }

  update() {
    this.acts = new Map();
    this.drawTurns();
    this.drawPicker();
    this.inHand.forEach((part) => this.drawInHand(part));
  }

  drawInHand(part) {
    const { board } = this;
    const { spelling, position } = board;
    const lays = !spelling.path.length && [...spelling.reach().keys()].some((target) => position.places[target]);
    const [card] = lays ? spelling.turnsAround() : [];
    part.hidden = !card;
    part.replaceChildren(...(card ? [drawn(board, card)] : []));
  }

  drawTurns() {
    const { board } = this;
    const all = board.spelling.turnsAround();
    if (!this.turns) {
      return;
    }
    this.turns.hidden = all.length < 2;
    this.turns.replaceChildren(...(all.length < 2 ? [] : all.map((ghost) => this.turnButton(ghost))));
  }

  turnButton(ghost) {
    const { board } = this;
    const { turns, at } = board.spelling;
    const here = turns.findIndex(({ g }) => isSameTurn(g, ghost));
    const chosen = Boolean(at.g && isSameTurn(at.g, ghost));
    const placed = Boolean(board.spelling.token);
    const refused = placed && here < 0 && !chosen;
    const button = pictured(board, ghost, placed ? ghost.label : "");
    button.className = "turn-choice";
    button.disabled = refused || !placed;
    button.classList.toggle("does-not-fit", refused);
    button.classList.toggle("in-hand", !placed);
    if (!placed) {
      button.setAttribute("aria-label", board.text("inHand"));
      return button;
    }
    button.setAttribute("aria-pressed", String(chosen));
    const state = board.text(chosen ? "turned" : refused ? "noFit" : "fits");
    button.append(Object.assign(document.createElement("small"), { textContent: state }));
    this.acts.set(button, () => board.turn(here - turns.indexOf(at)));
    return button;
  }

  drawPicker() {
    const { picker: asked } = this.board.position;
    if (!this.picker) {
      return;
    }
    this.picker.hidden = !asked;
    const heading = Object.assign(document.createElement("h2"), { textContent: asked?.label ?? "" });
    this.picker.replaceChildren(...(asked ? [heading, ...asked.groups.map((group) => this.group(group))] : []));
  }

  group({ label, left, cards }) {
    const group = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.append(Object.assign(document.createElement("b"), { textContent: label }));
    legend.append(` ${this.board.text("left", { left })}`);
    group.append(legend, ...cards.map((card) => this.card(card)));
    return group;
  }

  card(card) {
    const { board } = this;
    const node = board.spelling.root.k.find(({ t, p }) => p === card.part || t.endsWith(`:${card.part}`));
    const button = pictured(board, card, "");
    const count = document.createElement("small");
    count.textContent = board.text("leftOf", { left: card.left, of: card.of });
    button.append(count);
    button.className = "card-choice";
    button.disabled = !card.left || !(node || board.isClosed);
    button.setAttribute("aria-label", `${card.label}, ${count.textContent}`);
    button.setAttribute("aria-pressed", String(Boolean(node) && board.spelling.path.includes(node)));
    this.acts.set(button, () => this.pick(card, node));
    return button;
  }

  /* Picks the card that came; what it does is asked first where the position leaves that open. */
  async pick(card, node) {
    const { board } = this;
    if (node) {
      board.spelling.clear();
      board.take(node);
      return;
    }
    const found = await this.open({ drawn: card.part });
    if (found) {
      const { spelling, position } = board;
      const picked = { t: `${CHOICE}card:${card.part}`, p: "", s: card.label, k: found.tree };
      board.plant({ ...found, tree: [...spelling.root.k, picked], places: { ...position.places, ...found.places } });
      this.pick(card, picked);
    }
  }

  /* Asks for everything that the position leaves open. :returns: whether it is there. */
  async openAll() {
    const found = await this.open({ whole: true });
    if (found) {
      this.board.isClosed = false;
      this.board.plant(found);
    }
    return Boolean(found);
  }

  /* Asks for what a position leaves open. :returns: it, or nothing if another position is shown by then. */
  async open(more) {
    const { board } = this;
    const { shown } = board;
    try {
      const found = await board.onOpen(more);
      if (shown === board.shown) {
        board.learn(found.symbols);
        return found;
      }
    } catch (error) {
      board.refuse(error);
    }
    return null;
  }
}

function isSameTurn(one, other) {
  return (one.turn ?? 0) === (other.turn ?? 0) && one.symbol === other.symbol;
}

/* A button showing one of the board's drawings in full. */
function pictured(board, card, text) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(drawn(board, card));
  if (text) {
    button.append(Object.assign(document.createElement("span"), { textContent: text }));
  }
  return button;
}

/* One of the board's drawings in full, with the text printed on it. */
function drawn(board, { symbol, turn = 0, text: printed = "" }) {
  const room = turn ? [-50, -50, 100, 100] : squareAround(board.marks.drawingOf(symbol).box);
  const svg = svgElement("svg", { viewBox: room.join(" "), "aria-hidden": "true" });
  svg.append(svgElement("use", { href: `#${board.table.prefix}${symbol}`, transform: `rotate(${turn})` }));
  if (printed) {
    svg.append(svgElement("text", { class: "printed", y: 6.8 }));
    svg.lastChild.textContent = printed;
  }
  return svg;
}
