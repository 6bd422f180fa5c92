/* Lets the reader of a guide do each step's action on its board, as at a table: only what leads to it can be touched, and
   the rules answer every other touch. Without this script the boards show what was done.

   <li data-record data-ply data-token data-drawn data-sentence-of>   a step: its record, how many actions precede the
                                 one to do, this one, the card that it plays and what it does in words
     .step-board                 the picture of what was done; [data-try]: what is to do
   <template data-trying>        the board; data-positions: who answers positions (POST /api/v1/positions); sentences */

import { Board } from "./board.js";
import { isChoice } from "./spelling.js";

const template = document.querySelector("[data-trying]");
const texts = template.dataset;
const SEEN = 900;

class Step {
  constructor(item, number) {
    this.item = item;
    this.number = number;
    this.picture = item.querySelector(".step-board .board");
    this.says = item.querySelector("[data-try]");
  }

  async begin() {
    const { token, ply } = this.item.dataset;
    const found = await this.ask({ ply: Number(ply) });
    if (!found) {
      return; // the picture stays
    }
    const root = template.content.cloneNode(true).firstElementChild;
    root.querySelector("svg").dataset.prefix = `try-${this.number}-`;
    root.dataset.saysNothing = texts.other;
    this.item.querySelector(".step-board").append(root);
    this.picture.toggleAttribute("hidden", true);
    const onOpen = ({ touched }) => this.ask({ ply: Number(ply), touched });
    this.board = new Board(root, { onAct: () => this.done(), onOpen, confirm: false });
    this.board.show({ ...found, tree: leading(found.tree, token), must: [] }, { motion: false });
    this.say(texts.do);
  }

  /* Asks for a position of the record; nothing if nobody answers. */
  async ask(more) {
    const { record: text, drawn } = this.item.dataset;
    const body = JSON.stringify({ text, drawn: drawn || null, ...more });
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const answer = await fetch(texts.positions, { method: "POST", headers, body }).catch(() => null);
    return answer?.ok ? (await answer.json()).position : null;
  }

  /* Shows what was done, then the step's own picture, which may show more. */
  async done() {
    const after = await this.ask({ ply: Number(this.item.dataset.ply) + 1, drawn: null });
    if (after) {
      this.board.show({ ...after, tree: [], picker: null, must: [] });
    }
    this.say(texts.done);
    this.item.dataset.done = "";
    setTimeout(() => {
      this.board.root.remove();
      this.picture.toggleAttribute("hidden", false);
    }, SEEN);
  }

  say(text) {
    this.says.hidden = false;
    this.says.textContent = text.replace("{sentence}", this.item.dataset.sentenceOf);
  }
}

/* The part of a tree of touches that leads to an action; a choice of which nothing else is left is made. */
function leading(tree, token) {
  return tree.flatMap(({ a, k = [], ...node }) => {
    if (a === token) {
      return [{ ...node, a }];
    }
    const further = leading(k, token);
    const [only] = further;
    if (further.length === 1 && isChoice(only)) {
      return [{ ...node, ...only, t: node.t, p: node.p + only.p }];
    }
    return further.length ? [{ ...node, k: further }] : [];
  });
}

const steps = new Map([...document.querySelectorAll("[data-record]")].map((item, at) => [item, new Step(item, at)]));
const seen = new IntersectionObserver((entries) => {
  for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
    seen.unobserve(target);
    steps.get(target).begin();
  }
}, { threshold: 0.5 });
steps.forEach((_, item) => seen.observe(item));
