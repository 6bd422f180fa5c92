/* The controls beside a board while acting on it: the token as spelled so far, its sentence, the remaining choices and
   the confirm button. It reads the following, each optional and any number of times:

   [data-spelled]               the parts of the token, one <span> each
   [data-sentence]              what was chosen, as a sentence; data-empty="…" is the text before that
   [data-path]                  the touches that spell it, one after another: an <ol>
   [data-reason]                why an action is required or impossible
   [data-choices]               buttons for the remaining choices; with data-choices="cell" in the stage, at their cell
   [data-ends]                  buttons for actions that do not touch the board, such as ending the turn; with data-ends-at-once on the root they
                                need no confirmation, unless they move something
   <button data-turn>           turns the piece being laid; with data-turn="cell" in the stage, at its cell
   <button data-confirm-action>, <button data-back>   data-undo="…": its text when nothing is touched
   [data-option="confirm|letters"]   checkboxes remembered on this device */

import { motionOf } from "./scene.js";
import { isChoice } from "./spelling.js";

const KEPT = "atta:";
const GAP = 10;
const HANDLE = 8;
const SAID = 3000;

export class Beside {
  constructor(board) {
    this.board = board;
    this.parts = (selector) => [...board.root.querySelectorAll(selector)];
    board.root.addEventListener("click", (event) => this.click(event));
    this.parts("[data-option]").forEach((option) => this.keep(option));
    new ResizeObserver(() => board.position && this.lay()).observe(board.stage);
  }

  keep(option) {
    const name = option.dataset.option;
    const kept = localStorage.getItem(KEPT + name);
    const set = () => (this.board.root.dataset[name] = option.checked ? "yes" : "no");
    option.checked = kept ? kept === "yes" : this.board.root.dataset[name] !== "no";
    option.addEventListener("change", () => {
      set();
      localStorage.setItem(KEPT + name, option.checked ? "yes" : "no");
    });
    set();
  }

  click(event) {
    const button = event.target.closest("button");
    if (!button) {
      return;
    }
    const { board } = this;
    if ("confirmAction" in button.dataset) {
      board.confirm();
    } else if ("back" in button.dataset) {
      board.back();
    } else if ("stop" in button.dataset) {
      board.confirm();
    } else if ("asked" in button.dataset) {
      board.touch(button.dataset.asked);
    } else if ("turn" in button.dataset) {
      board.turn(1);
    } else if (this.nodes?.has(button)) {
      this.choose(this.nodes.get(button));
    }
  }

  choose(node) {
    const { board } = this;
    if (board.ahead.takes(node.t)) {
      return;
    }
    const isEnd = board.spelling.root.k.includes(node) && node.a && !node.k && !node.g;
    if (board.spelling.root.k.includes(node)) {
      board.spelling.clear();
    }
    board.take(node);
    if (isEnd && board.confirms && "endsAtOnce" in board.root.dataset) {
      board.confirm();
    }
    board.targets.of(board.spelling.here)?.focus({ preventScroll: true });
  }

  update() {
    const { spelling, reason, position } = this.board;
    const { token, parts, path } = spelling;
    const why = reason || (path.length ? "" : (position.must[0]?.why ?? ""));
    this.parts("[data-spelled]").forEach((part) => part.replaceChildren(...parts.map(span)));
    this.parts("[data-sentence]").forEach((part) => (part.textContent = this.sentence() || (part.dataset.empty ?? "")));
    this.parts("[data-path]").forEach((part) => this.listTouches(part));
    this.parts("[data-reason]").forEach((part) => {
      part.textContent = why;
      part.classList.toggle("is-refused", Boolean(reason));
    });
    this.parts("[data-confirm-action]").forEach((button) => (button.disabled = !token));
    this.parts("[data-back]").forEach((button) => this.nameBack(button, path.length + this.board.asked.length));
    this.list();
  }

  sentence() {
    const { board } = this;
    const { spelling, position } = board;
    if (board.asked.length) {
      return board.text("which");
    }
    const places = [...spelling.reach().keys()].filter((target) => position.places[target]);
    if (!spelling.path.length && places.length) {
      return board.text("lay");
    }
    if (position.over) {
      return [board.scene.caption, position.ended?.reason].filter(Boolean).join(" ");
    }
    if (!spelling.path.length && spelling.root.k.length && spelling.root.k.every(isChoice) && !position.picker) {
      return board.text("only");
    }
    return spelling.asks ? `${spelling.sentence}. ${board.text("which")}` : spelling.sentence;
  }

  /* Lists the touches so far, each with its part of the token. */
  listTouches(list) {
    const { touched } = this.board.spelling;
    list.hidden = !touched.length;
    list.replaceChildren(...touched.map(({ s, p }) => {
      const step = document.createElement("li");
      const sign = document.createElement("code");
      sign.textContent = p;
      step.append(span(s), ...(p ? [sign] : []));
      return step;
    }));
  }

  /* If there is no touch to take back, the page decides what the button does. */
  nameBack(button, touched) {
    button.dataset.says ??= button.querySelector("[data-word]")?.textContent ?? button.textContent;
    const word = button.querySelector("[data-word]") ?? button;
    word.textContent = touched || !button.dataset.undo ? button.dataset.says : button.dataset.undo;
    button.disabled = !touched && !button.dataset.undo;
  }

  list() {
    const { board } = this;
    const { choices, token, path, root } = board.spelling;
    const atRoot = !path.length;
    const shown = atRoot ? [] : choices;
    this.nodes = new Map();
    this.parts("[data-choices]").forEach((part) => {
      const stop = token && shown.length ? [this.stop(token)] : [];
      const asked = part.dataset.choices === "cell" ? [] : board.asked.map((target) => this.asked(target));
      const buttons = board.asked.length
        ? asked
        : [...stop, ...shown.map((node) => this.button(node))];
      part.replaceChildren(...buttons);
      part.hidden = !buttons.length;
    });
    const ends = board.position.picker ? [] : root.k.filter(isChoice);
    this.parts("[data-ends]").forEach((part) => {
      part.replaceChildren(...ends.map((node) => this.end(node)));
    });
    this.lay();
  }

  stop(token) {
    const button = labelled(this.board.text("stop"), "");
    button.dataset.stop = token;
    button.className = "choice is-stop";
    return button;
  }

  asked(target) {
    const button = labelled(this.board.nameOf(target), "");
    button.dataset.asked = target;
    button.className = "choice";
    return button;
  }

  button(node) {
    const button = labelled(node.s, node.p);
    button.className = "choice";
    this.nodes.set(button, node);
    return button;
  }

  end(node) {
    const button = this.button(node);
    button.className = "button end";
    button.setAttribute("aria-pressed", String(this.board.spelling.path.includes(node)));
    return button;
  }

  /* Places the turning handle on a side of the cell where nothing else can be laid. */
  layHandle(cell) {
    this.parts("[data-turn]").forEach((button) => (button.hidden = !cell));
    const [handle] = this.parts("[data-turn='cell']");
    if (handle && cell) {
      const [room, size] = [this.board.stage.getBoundingClientRect(), handle.offsetWidth];
      const [across, along] = [(cell.width + size) / 2 - HANDLE, (cell.height + size) / 2 - HANDLE];
      const middle = [cell.left - room.left + cell.width / 2, cell.top - room.top + cell.height / 2];
      const sides = [[-across, 0], [across, 0], [0, along], [0, -along]];
      const places = sides.map(([x, y]) => [middle[0] + x - size / 2, middle[1] + y - size / 2]);
      const isFree = ([left, top]) => {
        const box = { left, top, right: left + size, bottom: top + size };
        const inside = left >= 0 && top >= 0 && box.right <= room.width && box.bottom <= room.height;
        return inside && !this.marked(room).some((mark) => overlap(mark, box) > size);
      };
      const [left, top] = places.find(isFree) ?? places[0];
      handle.style.left = `${left}px`;
      handle.style.top = `${top}px`;
    }
  }

  /* The other places where something can be laid, in stage coordinates. */
  marked(room) {
    const { board } = this;
    const marks = [...board.svg.querySelectorAll(".mark.lay .line")].map((mark) => mark.getBoundingClientRect());
    return marks.map(({ left, top, right, bottom }) => ({
      left: left - room.left,
      top: top - room.top,
      right: right - room.left,
      bottom: bottom - room.top,
    }));
  }

  /* Puts the choices beside their cell; where they would hide what else can be touched, they are in the sheet alone. */
  lay() {
    const [list] = this.parts("[data-choices='cell']");
    const { board } = this;
    if (board.root.dataset.aside === "yes" && list?.children.length) {
      list.hidden = false;
    }
    board.root.dataset.aside = "no";
    const target = board.spelling.here;
    this.layHandle(board.spelling.turns.length > 1 && board.targets.of(target)?.getBoundingClientRect());
    const cell = target && board.targets?.of(target)?.getBoundingClientRect();
    if (!list || list.hidden || !cell) {
      return;
    }
    const room = board.stage.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = list;
    const [middle, level] = [cell.left + (cell.width - width) / 2, cell.top + (cell.height - height) / 2];
    const places = [
      [cell.right + GAP, level],
      [cell.left - GAP - width, level],
      [middle, cell.top - GAP - height],
      [middle, cell.bottom + GAP],
    ].map(([left, top]) => [within(left, room.left, room.right - width), within(top, room.top, room.bottom - height)]);
    const touched = board.spelling.path.map(({ t }) => board.table.elements.get(t)).filter(Boolean);
    const covers = [...board.targets.covers, ...touched].map((one) => one.getBoundingClientRect());
    const hides = ([left, top]) => {
      const box = { left, top, right: left + width, bottom: top + height };
      return covers.reduce((sum, one) => sum + overlap(one, box), 3 * overlap(cell, box));
    };
    const [left, top] = places.reduce((best, one) => (hides(one) < hides(best) ? one : best));
    list.style.left = `${left - room.left}px`;
    list.style.top = `${top - room.top}px`;
    if (list.offsetWidth && hides([left, top])) {
      list.hidden = true;
      board.root.dataset.aside = "yes";
    }
  }
}

function span(text) {
  const part = document.createElement("span");
  part.textContent = text;
  return part;
}

function labelled(text, sign) {
  const button = document.createElement("button");
  button.type = "button";
  const words = span(text);
  button.append(words);
  if (sign) {
    const key = document.createElement("kbd");
    key.textContent = sign;
    key.setAttribute("aria-hidden", "true"); // a sign to type, which is no word of the button's name
    button.append(" ", key);
  }
  return button;
}

function within(value, least, most) {
  return Math.max(least, Math.min(value, most));
}

function overlap(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const along = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return across > 0 && along > 0 ? across * along : 0;
}

/* Says on a board why something was not done or cannot be touched.

   new Refusing(board)
     .answer(target)            shakes at once, and says for three seconds why a target cannot be touched: what must be
                                done with it, or else what the board's onOpen({ touched }) promises as `refusal`
     .explain(reason, target)   says it until something else happens, and marks the target
     .forget()                  says it no longer; nor does it say what is not answered yet
     .reason                    what is said */
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
