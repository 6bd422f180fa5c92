/* What is typed at a board: keys, and words that narrow the list of actions. */

import { isTyping } from "./scene.js";

const LISTED = 60;

/* Reads the keyboard for a board: arrow keys move between what can be touched, Enter touches or confirms, Escape steps
   back, and a letter makes a choice or starts typing. */
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

/* The legal actions as a list beside the board, narrowed by typing:

   [data-actions]
     <input role="combobox" data-type aria-controls="…" aria-expanded="true" aria-autocomplete="list">
     <ul role="listbox" id="…" data-list>        one option per action; the chosen one is selected
     [data-count]                                how many there are; the text is data-says-ways on the board's root
     [data-more]                                 how many are not listed
   Arrows move through the list, Enter chooses an action and a second Enter confirms it, Escape steps back. Where nothing
   is to be confirmed, an action is done as soon as it is chosen. */
export class ActionList {
  constructor(board) {
    this.board = board;
    this.root = board.root.querySelector("[data-actions]");
    if (!this.root) {
      this.update = () => {};
      return;
    }
    this.part = (name) => this.root.querySelector(`[data-${name}]`);
    this.input = this.part("type");
    this.list = this.part("list");
    this.active = -1;
    this.input.addEventListener("input", () => this.type());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => this.click(event));
  }

  /* A letter pressed elsewhere on the board starts typing in the field. */
  begin() {
    if (this.root?.checkVisibility()) {
      this.input.focus();
    }
  }

  update() {
    const { spelling } = this.board;
    if (!this.typing) {
      this.input.value = spelling.spelled;
      this.shown = spelling.endsHere;
    }
    this.active = this.typing ? -1 : this.shown.findIndex(({ token }) => token === spelling.token);
    this.draw();
  }

  draw() {
    const listed = this.shown.slice(0, LISTED);
    this.list.replaceChildren(...listed.map((end, at) => this.option(end, at)));
    const count = this.part("count");
    const more = this.part("more");
    if (count) {
      count.textContent = this.board.ways(this.shown.length);
    }
    if (more) {
      more.hidden = this.shown.length <= LISTED;
      more.textContent = this.board.text("more", { count: this.shown.length - LISTED });
    }
    this.mark();
  }

  option({ token, sentence }, at) {
    const option = document.createElement("li");
    option.id = `${this.list.id}-${at}`;
    option.setAttribute("role", "option");
    option.dataset.at = at;
    const [sign, words] = [document.createElement("code"), document.createElement("span")];
    sign.textContent = token;
    words.textContent = sentence;
    option.append(sign, " ", words);
    return option;
  }

  mark() {
    const { token } = this.board.spelling;
    [...this.list.children].forEach((option, at) => {
      option.setAttribute("aria-selected", String(this.shown[at].token === token && !this.rest));
      option.classList.toggle("is-active", at === this.active);
    });
    const active = this.list.children[this.active];
    if (active) {
      this.input.setAttribute("aria-activedescendant", active.id);
      scrollTo(this.list, active);
    } else {
      this.input.removeAttribute("aria-activedescendant");
    }
  }

  /* What a position leaves open is asked for when something is typed. */
  async type() {
    const { board, input } = this;
    if (board.isClosed && input.value && !(await board.hand.openAll())) {
      return;
    }
    const text = input.value;
    this.typing = true;
    this.shown = board.spelling.endsFor(text);
    const exact = this.shown.find(({ token }) => token === text.trim());
    board.goTo(exact ? [exact] : text ? this.shown : []);
    this.typing = false;
    board.say(this.shown.length ? this.countOrFirst() : board.text("none"));
  }

  countOrFirst() {
    const { board, shown } = this;
    return shown.length === 1 ? `${shown[0].token}: ${shown[0].sentence}` : board.ways(shown.length);
  }

  key(event) {
    const { board } = this;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) {
      const count = Math.min(this.shown.length, LISTED);
      this.active = count ? (this.active + steps[event.key] + count) % count : -1;
      this.mark();
    } else if (event.key === "Enter") {
      this.enter();
    } else if (event.key === "Escape") {
      board.back();
      this.input.value = board.spelling.spelled;
    } else {
      return;
    }
    event.preventDefault();
  }

  enter() {
    const { board, shown } = this;
    const end = shown[this.active] ?? (shown.length === 1 ? shown[0] : null);
    if (end && end.token !== board.spelling.token) {
      this.choose(end);
    } else if (board.spelling.token === this.input.value.trim()) {
      board.confirm();
    }
  }

  click(event) {
    const option = event.target.closest("[role='option']");
    const end = option && this.shown[option.dataset.at];
    if (end && end.token === this.board.spelling.token) {
      this.board.confirm();
    } else if (end) {
      this.choose(end);
    }
  }

  choose(end) {
    this.board.goTo([end]);
    if (!this.board.confirms) {
      this.board.confirm();
    }
  }
}

/* Scrolls the list but not the page. */
function scrollTo(list, option) {
  const [box, line] = [list.getBoundingClientRect(), option.getBoundingClientRect()];
  list.scrollTop += Math.min(0, line.top - box.top) + Math.max(0, line.bottom - box.bottom);
}
