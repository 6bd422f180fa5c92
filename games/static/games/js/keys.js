/* Reads the keyboard for a board: arrow keys move between what can be touched, Enter touches or confirms, Escape steps
   back, and a letter makes a choice or starts typing. */

import { isTyping } from "./scene.js";

export class Keys {
  constructor(board) {
    this.board = board;
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const inside = this.board.root.contains(event.target) || event.target === document.body;
    const modified = event.metaKey || event.ctrlKey || event.altKey;
    if (event.defaultPrevented || modified || !inside || !this.board.position || isTyping(event.target)) {
      return;
    }
    if (this.special(event) || (event.key.length === 1 && this.letters && this.sign(event))) {
      event.preventDefault();
    }
  }

  special({ key, target }) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const isButton = target.closest("button, a, summary, [role='option']");
    if (key in steps) {
      this.walk(steps[key]);
    } else if (key === "Escape") {
      this.board.back();
    } else if ((key === "Enter" || key === " ") && !isButton) {
      target.closest(".target") ? this.board.touch(target.closest(".target").dataset.target) : this.board.confirm();
      this.focusChoice();
    } else {
      return false;
    }
    return true;
  }

  /* Moves the focus through everything that can be touched now. */
  walk(by) {
    const all = [...this.board.targets.covers, ...this.choices()];
    const at = all.indexOf(document.activeElement);
    all.at(at < 0 ? (by > 0 ? 0 : -1) : (at + by) % all.length)?.focus();
  }

  choices() {
    return [...this.board.root.querySelectorAll("[data-choices] button")].filter((one) => one.checkVisibility());
  }

  /* Focuses the first choice if only choices are left. */
  focusChoice() {
    const { token, choices } = this.board.spelling;
    if (!token && choices.length && !this.board.spelling.reach().size) {
      this.choices()[0]?.focus();
    }
  }

  /* A letter turns the piece being laid, makes a choice, or starts typing the token in the field. */
  sign({ key }) {
    const { board } = this;
    const choice = board.spelling.choiceBySign(key);
    if (/^r$/i.test(key) && board.spelling.turns.length) {
      board.turn(key === "r" ? 1 : -1);
    } else if (choice) {
      board.spelling.clear();
      board.take(choice);
    } else {
      board.beside.forEach((part) => part.begin?.());
      return false;
    }
    return true;
  }

  get letters() {
    return this.board.root.dataset.letters !== "no";
  }
}
