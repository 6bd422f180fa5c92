/* Touches ahead of an answer: what is touched while an action is being done is touched once its answer is there.

   Where every action can be undone (data-goes-on on the root) and need not be confirmed, touching what begins another
   action also does the one that is chosen.

   new Ahead(board)
     .takes(target)   whether a touch has to wait, and keeps it
     .go()            touches what waits; .forget() does not */

import { isChoice } from "./spelling.js";

export class Ahead {
  constructor(board) {
    this.board = board;
    this.waiting = [];
  }

  takes(target) {
    const { board } = this;
    const goesOn = this.goesOn(target);
    if (board.busy || goesOn) {
      this.waiting.push(target);
      goesOn && board.confirm();
    }
    return Boolean(board.busy);
  }

  goesOn(target) {
    const { root, busy, confirms, spelling } = this.board;
    const { token, path, at } = spelling;
    const isIn = (nodes = []) => nodes.some(({ t }) => t === target);
    const begins = path[0]?.t !== target && isIn(spelling.root.k) && !isIn(at.k);
    return "goesOn" in root.dataset && !busy && !confirms && Boolean(token) && begins;
  }

  go() {
    const { board } = this;
    while (this.waiting.length && !board.busy) {
      const target = this.waiting.shift();
      const { root, at } = board.spelling;
      const choice = [...(at.k ?? []), ...root.k].find((node) => node.t === target && isChoice(node));
      choice ? board.take(choice) : board.touch(target);
    }
  }

  forget() {
    this.waiting = [];
  }
}
