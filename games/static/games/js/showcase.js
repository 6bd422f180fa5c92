/* The game at the top of the front page: stepping through it, and breaking it. All positions and responses come from
   the server, from the addresses the links lead to anyway; here they are shown without loading a new page.

   data-showcase-frames    the address of all frames      data-lead    the ply from which it plays by itself, once
   data-broken         the address of the mistake     data-back    that of the original game
   data-begins         whether it may play by itself: until then its end is kept back by the style sheet */

import { fold, isTyping, motionOf, Table, waysOf } from "./scene.js";

const WAIT = 1200;
const BEAT = 320;
const EVERY = 1200;

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

class Showcase {
  constructor(root) {
    this.root = root;
    this.ply = this.goal = Number(root.dataset.ply);
    this.wish = 0;
    this.last = Number(root.dataset.last);
    this.part = (selector) => root.querySelector(selector);
    this.table = new Table(this.part("svg.board"));
    this.sheet = this.part("[data-sheet]");
    this.broken = Boolean(this.part(".answer"));
    this.answers = new Map();
    this.frames = [];
    this.listen();
    this.part("[data-slider]").hidden = this.part("[data-autoplay]").hidden = false;
    this.begin().catch(() => this.rest());
  }

  /* Fetches all frames when they are first needed, or only those with which it plays by itself. */
  load(part = "") {
    this.loading ??= {};
    this.loading[part] ??= this.fetchFrames(part).catch((error) => {
      delete this.loading[part];
      throw error;
    });
    return this.loading[part];
  }

  async fetchFrames(part) {
    const { frames } = await fetchJson(this.root.dataset.showcaseFrames + part);
    let before;
    for (const frame of frames) {
      before = this.frames[frame.ply] = fold(before, frame);
    }
  }

  listen() {
    this.root.addEventListener("click", (event) => this.click(event));
    for (const touch of ["pointerdown", "keydown"]) {
      this.root.addEventListener(touch, () => this.rest(), { capture: true });
    }
    this.part("[data-slider]").addEventListener("input", (event) => this.go(Number(event.target.value)).catch(() => {}));
    this.part("[data-autoplay]").addEventListener("click", () => (this.timer ? this.stop() : this.play()));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  click(event) {
    const link = event.target.closest("a[href]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    if ("showcase" in link.dataset) {
      event.preventDefault();
      this.stop();
      this.ask(link.href, link).catch(() => location.assign(link.href));
      return;
    }
    const steps = { first: 0, previous: this.goal - 1, next: this.goal + 1, last: this.last };
    const step = Object.keys(steps).find((name) => link.classList.contains(name) && link.classList.contains("step"));
    if (step) {
      event.preventDefault();
      this.stop();
      this.go(steps[step]).catch(() => location.assign(link.href));
    }
  }

  key(event) {
    const on = document.activeElement;
    const here = on === document.body || this.root.contains(on);
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (!here || !(event.key in steps) || event.defaultPrevented || isTyping(on)) {
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || this.sheet.querySelector(".sheet-scroll") === on) {
      return;
    }
    event.preventDefault();
    this.rest();
    this.stop();
    this.go(this.goal + steps[event.key]).catch(() => {});
  }

  /* Shows the game with one action replaced, or as it was originally, unless something else is wished for meanwhile. */
  async ask(address, link) {
    const wish = ++this.wish;
    const answer = await this.answerOf(address);
    if (wish !== this.wish) {
      return;
    }
    const motion = motionOf(this.root);
    const { activeElement: focused } = document;
    const again = (focused === document.body || this.sheet.contains(focused)) && link?.textContent;
    this.ply = this.goal = answer.ply;
    this.table.show(fold(undefined, answer.frame).pieces, { motion });
    this.table.drawTraces(answer.frame.traces);
    this.sheet.innerHTML = answer.sheet ?? this.mistaken;
    this.broken = Boolean(this.part(".answer"));
    this.say(answer.caption);
    this.mark();
    if (again) {
      const same = [...this.sheet.querySelectorAll("[data-showcase]")].find((other) => other.textContent === again);
      (same ?? this.sheet.querySelector(".answer [aria-current], [data-showcase]"))?.focus({ preventScroll: true });
    }
  }

  answerOf(address) {
    const url = new URL(address, location.href);
    url.searchParams.set("part", "showcase");
    if (!this.answers.has(url.href)) {
      const asked = fetchJson(url.href);
      asked.catch(() => this.answers.delete(url.href));
      this.answers.set(url.href, asked);
    }
    return this.answers.get(url.href);
  }

  /* Shows a ply of the original game, unless something else is wished for meanwhile. :returns: whether it is shown. */
  async go(to) {
    const wish = ++this.wish;
    const ply = (this.goal = Math.max(0, Math.min(this.last, to)));
    if (!this.frames[ply] || !this.frames[Math.min(ply + 1, this.last)]) {
      await this.load();
    }
    const original = this.broken && (await this.answerOf(this.root.dataset.back)).sheet;
    if (wish !== this.wish) {
      return false;
    }
    if (original) {
      this.sheet.innerHTML = original;
      this.broken = false;
    }
    this.show(ply);
    return true;
  }

  show(ply) {
    const scene = this.frames[ply];
    const step = ply - this.ply;
    const near = Math.abs(step) === 1;
    const paths = near ? waysOf(this.frames[step > 0 ? ply : ply + 1].traces, step > 0) : new Map();
    this.table.show(scene.pieces, { motion: near ? motionOf(this.root) : 0, paths });
    this.table.drawTraces(scene.traces);
    this.ply = this.goal = ply;
    this.say(scene.caption);
    this.mark();
    this.markTurns();
  }

  say(caption) {
    this.part("[data-caption]").textContent = caption;
    this.part("svg.board > title").textContent = caption;
  }

  /* Updates the controls and the list of moves for the current ply. */
  mark() {
    this.part("[data-at]").textContent = this.ply;
    this.part("[data-slider]").value = this.ply;
    const ends = { first: 0, previous: 0, next: this.last, last: this.last };
    for (const [name, end] of Object.entries(ends)) {
      this.part(`.step.${name}`).toggleAttribute("aria-disabled", this.ply === end);
    }
  }

  markTurns() {
    const turns = [...this.sheet.querySelectorAll(".sheet-turn")];
    turns.forEach((turn) => (turn.hidden = Number(turn.dataset.first) > Math.max(this.ply, 1)));
    const here = turns.filter((turn) => !turn.hidden).at(-1);
    turns.forEach((turn) => turn.classList.toggle("here", turn === here));
    const tokens = [...this.sheet.querySelectorAll(".token")];
    tokens.forEach((token) => token.classList.toggle("current", Number(token.dataset.ply) === this.ply));
    const list = this.sheet.querySelector(".sheet-scroll");
    list.scrollTop = 0;
  }

  // Playing

  play() {
    if (this.ply === this.last) {
      this.go(0);
    }
    this.timer = setInterval(() => (this.ply < this.last ? this.go(this.ply + 1) : this.stop()), EVERY);
    this.showPlay();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlay();
  }

  showPlay() {
    const button = this.part("[data-autoplay]");
    button.setAttribute("aria-pressed", String(Boolean(this.timer)));
    button.textContent = this.timer ? button.dataset.pause : button.dataset.play;
  }

  // The opening: a few actions, then the mistake, once

  async begin() {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!("begins" in this.root.dataset) || isStill || sessionStorage.getItem("showcase")) {
      return this.rest();
    }
    this.beginning = true;
    sessionStorage.setItem("showcase", "seen");
    const { broken, lead } = this.root.dataset;
    const mistake = new URL(broken, location.href);
    mistake.searchParams.set("break", "1");
    mistake.searchParams.set("sheet", "0");
    this.mistaken = this.sheet.innerHTML; // the page arrived with the mistake: its list of moves is not fetched again
    await this.load("&lead=1");
    if (!this.beginning) {
      return;
    }
    await this.go(Number(lead));
    this.root.classList.add("rests");
    await pause(WAIT);
    for (let ply = Number(lead) + 1; this.beginning && ply <= this.target(); ply++) {
      this.show(ply);
      await pause(BEAT);
    }
    if (this.beginning) {
      this.beginning = false;
      await this.ask(mistake.href);
    }
  }

  target() {
    return Number(this.root.dataset.lead) + 4;
  }

  /* Stops playing by itself: somebody touched it, or something failed to load. */
  rest() {
    this.beginning = false;
    this.root.classList.add("rests");
  }
}

async function fetchJson(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  if (!answer.ok) {
    throw new Error(`${answer.status} for ${address}`);
  }
  return answer.json();
}

document.querySelectorAll("[data-showcase-frames]").forEach((root) => new Showcase(root));

/* A game in progress further down the page moves once it has come into view: its script is not fetched before. */
const coming = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) {
      coming.unobserve(target);
      import("./live.js").catch(() => {}); // without it the game stands still, as without scripts
    }
  }
});

document.querySelectorAll("[data-watched]").forEach((one) => coming.observe(one));
