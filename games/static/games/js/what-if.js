/* What would have happened otherwise: acting on the board of a replay from any ply. The engine answers, on this device where
   it is loaded (js/branching.js), else on the server; this script knows tokens and no rules. It is loaded
   when it is wanted first (replay.js).

   Branches hang in the list of moves and live in the address alone: #what-if=[[ply, [tokens], {step: comment}], …], so
   that a link holds them. `games/records/what_if.html` has the markup, in a template that is put to use once. */

import { Board } from "./board.js";
import { branching } from "./branching.js";

const NAME = "what-if";
const MOST = { branches: 40, actions: 200, comment: 300 };
const PREFIX = "free-";

export class WhatIf {
  constructor(replay) {
    this.replay = replay;
    this.texts = replay.part("[data-what-if-parts]").dataset;
    this.address = this.texts.positions;
    this.answers = new Map();
    this.branches = read();
    replay.part("[data-moves-part]").addEventListener("click", (event) => this.click(event));
    this.hang();
  }

  get isOpen() {
    return Boolean(this.branch);
  }

  // Branches

  /* Begins at the ply that is shown, with an action if there is one already. The focus goes along, unless it is on what
     stays. */
  async begin(token) {
    const branch = { ply: this.replay.ply, play: [], comments: {} };
    const isLost = () => document.activeElement === document.body || document.activeElement.closest(".controls, .stage > svg");
    const goesAlong = isLost();
    await this.walk(branch, 0);
    goesAlong && this.branch === branch && isLost() && this.dock.focus({ preventScroll: true });
    if (token && this.branch === branch) {
      await this.act(token);
    }
  }

  /* Opens the first branch of a shared link. */
  open() {
    const [first] = this.branches;
    return first ? this.walk(first, first.play.length) : null;
  }

  /* Takes over the branches of an address that has changed, and opens the first. */
  async reopen() {
    this.leave();
    this.branches = read();
    this.hang();
    await this.open();
  }

  /* Shows a branch after some of its actions. */
  async walk(branch, at) {
    this.replay.pause();
    const before = this.branch;
    [this.branch, this.at] = [branch, at];
    try {
      await this.prepare();
      const answer = await this.ask(branch.ply, branch.play.slice(0, at));
      if (this.branch === branch && this.at === at) {
        this.enter();
        this.show(answer);
      }
    } catch (error) {
      this.refused(error, branch, before);
    }
  }

  /* Where an action of a link is not legal, the branch ends before it, and why is said. */
  async refused(error, branch, before) {
    if (this.branch !== branch) {
      return;
    }
    if (!error.place || error.place.ply < branch.ply) {
      this.branch = before ?? null;
      throw error;
    }
    branch.play.length = error.place.ply - branch.ply;
    this.keep();
    await this.walk(branch, branch.play.length);
    this.board.refuse({ message: error.message, rule: error.place.rule, target: null });
  }

  /* Does an action: another one than a branch has there begins a new branch. Who has gone elsewhere before the answer
     comes stays there. */
  async act(token) {
    const { branch: from, at } = this;
    const goesOn = from.play[at] === token;
    const branch = goesOn || at === from.play.length ? from : this.forked(from, at);
    const play = [...branch.play.slice(0, at), token];
    await this.ask(branch.ply, play);
    if (!goesOn) {
      branch.play = play;
      this.branches.includes(branch) || this.branches.push(branch);
      this.keep();
    }
    if (this.branch === from && this.at === at) {
      await this.walk(branch, at + 1);
    }
  }

  forked({ ply, play, comments }, at) {
    const kept = Object.entries(comments).filter(([step]) => step < at);
    return { ply, play: play.slice(0, at), comments: Object.fromEntries(kept) };
  }

  back() {
    this.at ? this.walk(this.branch, this.at - 1) : this.leave();
  }

  drop(branch) {
    this.branches = this.branches.filter((one) => one !== branch);
    if (branch === this.branch) {
      this.leave();
    }
    this.keep();
    this.announce(this.texts.dropped);
  }

  /* The first branch of a list is the one that a shared link opens. */
  promote(branch) {
    this.branches = [branch, ...this.branches.filter((one) => one !== branch)];
    this.keep();
    this.replay.part('[data-branch="0"] [data-step]').focus();
    this.announce(this.texts.promoted);
  }

  comment(text) {
    const tidy = text.trim().slice(0, MOST.comment);
    tidy ? (this.branch.comments[this.at - 1] = tidy) : delete this.branch.comments[this.at - 1];
    this.keep();
    this.announce(this.texts.noted);
  }

  /* Says what was done to a branch, for those who do not see it. */
  announce(text) {
    this.replay.part("[data-branch-said]").textContent = text;
  }

  kept() {
    return this.branches.map(({ ply, play, comments }) => [ply, play, comments]);
  }

  keep() {
    const kept = this.kept();
    const fragment = kept.length ? `#${NAME}=${encodeURIComponent(JSON.stringify(kept))}` : "";
    history.replaceState(history.state, "", `${location.pathname}${location.search}${fragment}`);
    this.hang();
  }

  // The engine

  /* Answers are kept: walking a branch back and forth asks once. Here, what a card does is asked when it has come:
     that takes less time than what all of them do; from the server it would be another request. */
  async ask(ply, play, more = { whole: !branching.askHere }) {
    const asked = [["ply", ply], ["drawings", "new"], ...Object.entries(more).flatMap(([name, values]) => [values].flat().map((value) => [name, value])), ...play.map((token) => ["play", token])];
    const query = new URLSearchParams(asked).toString();
    if (!this.answers.has(query)) {
      const found = await (branching.askHere ? branching.askHere({ ply, play, ...more }) : this.askServer(query));
      if (found.error) {
        throw Object.assign(new Error(found.error.message), { place: found.error.place });
      }
      this.answers.set(query, found);
    }
    return this.answers.get(query);
  }

  async askServer(query) {
    const answer = await fetch(`${this.address}?${query}`, { headers: { Accept: "application/json" }, credentials: "same-origin" });
    return answer.json();
  }

  // The board

  /* Loads what acting needs, and puts the board to use. */
  prepare() {
    this.prepared ??= this.load();
    return this.prepared;
  }

  async load() {
    await styled(this.texts.style);
    const parts = this.replay.part("[data-what-if-parts]").content.cloneNode(true);
    const part = (name) => parts.querySelector(`[data-free="${name}"]`);
    [this.stage, this.dock, this.side] = ["stage", "dock", "side"].map(part);
    this.replay.part("[data-caption]").before(this.stage);
    this.replay.part(".controls").after(this.dock);
    this.replay.part("[data-moves-part]").before(this.side);
    this.stage.querySelector("svg").dataset.prefix = PREFIX;
    this.replay.root.dataset.confirm = "no";
    const onOpen = async (more) => (await this.ask(this.branch.ply, this.branch.play.slice(0, this.at), more)).position;
    this.board = new Board(this.replay.root, { onAct: (token) => this.act(token), onOpen, confirm: false });
    this.borrow();
    this.replay.root.addEventListener("atta:undo", () => this.isOpen && this.back());
    const on = (name, act) => this.dock.parentNode.querySelector(`[data-free-${name}]`)?.addEventListener("click", act);
    on("leave", () => this.leave());
    on("share", ({ currentTarget }) => this.replay.share(currentTarget));
    on("score", () => this.score());
    this.dock.querySelector("[data-free-study]")?.addEventListener("submit", ({ target }) => {
      target.elements.branches.value = JSON.stringify(this.kept());
    });
    this.note = this.side.querySelector("[data-free-note]");
    this.note.addEventListener("change", () => this.comment(this.note.value));
  }

  /* The page has most drawings already. */
  borrow() {
    const { board } = this;
    for (const drawing of this.replay.svg.querySelectorAll("defs > [id]")) {
      const name = drawing.id.slice(this.replay.table.prefix.length);
      const copy = drawing.cloneNode(true);
      copy.id = PREFIX + name;
      board.definitions.append(copy);
      board.known.push(name);
    }
  }

  /* The board says what happens, so the caption need not. */
  enter() {
    const { root, svg } = this.replay;
    if (!root.classList.contains("is-free")) {
      this.stage.style.height = `${svg.getBoundingClientRect().height}px`;
    }
    this.replay.closer?.isOpen && this.replay.closer.toggle();
    root.classList.add("is-free");
    this.replay.part("[data-caption]").setAttribute("aria-live", "off");
    [this.stage, this.dock, this.side].forEach((part) => (part.hidden = false));
    this.replay.scrollToMove();
  }

  show({ position, text }) {
    const isNear = this.board.position && Math.abs(position.ply - this.board.position.ply) === 1;
    this.text = text;
    this.board.show(position, { motion: Boolean(isNear) });
    this.replay.trays.forEach((tray, seat) => tray.show(this.board.scene.trays.get(seat)));
    this.replay.say(this.board.scene);
    this.note.value = this.branch.comments[this.at - 1] ?? "";
    this.note.disabled = !this.at;
    this.hang();
  }

  /* Goes back to the game itself. */
  leave() {
    if (!this.isOpen) {
      return;
    }
    this.branch = null;
    if (!this.board?.position) {
      return; // nothing of it is shown yet
    }
    this.board.position = null;
    const had = [this.stage, this.dock, this.side].some((part) => part.contains(document.activeElement));
    this.replay.root.classList.remove("is-free");
    this.replay.part("[data-caption]").setAttribute("aria-live", "polite");
    [this.stage, this.dock, this.side].forEach((part) => (part.hidden = true));
    this.hang();
    this.replay.again();
    had && this.replay.part("[data-what-if]").focus({ preventScroll: true });
  }

  /* Opens the branch on the score sheet, which takes the text from this tab. */
  score() {
    sessionStorage.setItem("atta:opened", this.text);
    location.assign(this.texts.score);
  }

  // The list

  /* Hangs the branches into the list of moves, behind the turn from which they begin. */
  hang() {
    const { root } = this.replay;
    const focused = root.contains(document.activeElement) ? nameOf(document.activeElement) : null;
    root.querySelectorAll("[data-branch]").forEach((old) => old.remove());
    // From the last to the first, so that the first is next to its move.
    for (const branch of [...this.branches].reverse()) {
      const move = this.replay.moves.get(branch.ply);
      const list = this.replay.part("[data-moves]");
      if (move) {
        move.closest(".turn").after(this.draw(branch, "div"));
      } else if (!branch.ply) {
        list.prepend(this.draw(branch, "li"));
      }
    }
    focused && (root.querySelector(focused) ?? this.replay.part("[data-moves]")).focus();
  }

  draw(branch, tag) {
    const { texts } = this;
    const number = this.branches.indexOf(branch);
    const box = made(tag, "branch");
    box.dataset.branch = number;
    tag === "div" && Object.entries({ role: "group", "aria-label": `${texts.name} ${number + 1}` }).forEach((one) => box.setAttribute(...one));
    const acts = [number ? ["promote", texts.promote, "↑"] : null, ["drop", texts.drop, "×"]].filter(Boolean);
    const buttons = acts.map(([act, label, sign]) => {
      const button = made("button", "branch-act", sign);
      button.setAttribute("aria-label", label);
      button.title = label;
      button.dataset.branchAct = act;
      return button;
    });
    const head = made("p", "branch-head", texts.name);
    head.append(...buttons);
    const moves = made("p", "branch-moves");
    branch.play.forEach((token, at) => {
      const button = made("button", "move", token);
      button.dataset.step = at + 1;
      if (branch === this.branch && at + 1 === this.at) {
        button.setAttribute("aria-current", "step");
      }
      moves.append(button, " ");
      if (branch.comments[at]) {
        moves.append(made("span", "comment", branch.comments[at]), " ");
      }
    });
    box.append(head, moves);
    return box;
  }

  click({ target }) {
    const box = target.closest("[data-branch]");
    const button = target.closest("button");
    const branch = box && this.branches[box.dataset.branch];
    if (!branch || !button) {
      return;
    }
    if (button.dataset.step) {
      this.walk(branch, Number(button.dataset.step));
    } else {
      this[button.dataset.branchAct](branch);
    }
  }
}

/* Where the focus is in a branch, which is drawn anew; nothing if it is elsewhere. */
function nameOf(element) {
  const { branch } = element.closest("[data-branch]")?.dataset ?? {};
  const { step, branchAct } = element.dataset;
  return branch && `[data-branch="${branch}"] ${step ? `[data-step="${step}"]` : `[data-branch-act="${branchAct}"]`}`;
}

/* The branches in the address; what is none is left out. */
function read() {
  const [name, text] = location.hash.slice(1).split("=");
  try {
    const found = name === NAME ? JSON.parse(decodeURIComponent(text)) : [];
    return found.filter(isBranch).slice(0, MOST.branches).map(([ply, play, comments]) => ({ ply, play: [...play], comments: { ...comments } }));
  } catch {
    return [];
  }
}

function isBranch(one) {
  const [ply, play, comments = {}] = Array.isArray(one) ? one : [];
  const isText = (value) => typeof value === "string" && value.length <= MOST.comment;
  return Number.isInteger(ply) && ply >= 0 && Array.isArray(play) && play.length > 0 && play.length <= MOST.actions && play.every(isText) && Object.values(comments ?? {}).every(isText);
}

function made(tag, name, text = "") {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  if (tag === "button") {
    element.type = "button";
  }
  return element;
}

function styled(address) {
  return new Promise((done) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address, onload: done, onerror: done });
    document.head.append(link);
  });
}
