/* Says on a board why something was not done or cannot be touched.

   new Refusing(board)
     .answer(target)            shakes at once, and says for three seconds why a target cannot be touched: what must be
                                done with it, or else what the board's onOpen({ touched }) promises as `refusal`
     .explain(reason, target)   says it until something else happens, and marks the target
     .forget()                  says it no longer; nor does it say what is not answered yet
     .reason                    what is said */

import { motionOf } from "./scene.js";

const SAID = 3000;

export class Refusing {
  constructor(board) {
    this.board = board;
    this.reason = "";
  }

  async answer(target) {
    const { board } = this;
    const { position, spelling, onOpen } = board;
    const must = position.must.find((one) => one.target === target)?.why ?? "";
    board.refuse({ message: must, target });
    const [answering, touched] = [{}, [...spelling.path.map(({ t }) => t), target]];
    this.answering = answering;
    const asks = !must && onOpen && (board.isClosed || position.tree.length);
    const found = asks ? await Promise.resolve(onOpen({ touched })).catch(() => null) : null;
    if (this.answering === answering) {
      this.explain(must || (found?.refusal?.message ?? board.text("nothing")), target);
      this.forgetting = setTimeout(() => this.explain("", null), SAID);
    }
  }

  explain(reason, target) {
    const { board } = this;
    this.forget();
    this.reason = reason;
    board.render();
    if (target) {
      board.marks.put(target, "refused", { hatching: `url(#${board.prefix}hatching)` });
    }
    board.say(reason);
  }

  forget() {
    clearTimeout(this.forgetting);
    this.answering = null;
    this.reason = "";
  }

  shake() {
    const { board } = this;
    if (motionOf(board.root)) {
      const places = [0, -3, 3, -3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
      board.svg.animate(places, { duration: 160 });
    }
  }
}
