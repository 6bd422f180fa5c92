/* Steps through a replay that the server has drawn at one ply. It knows pieces that move, appear and vanish, no game.

   The page works without this script: every control that leads somewhere is a link, and what only the script can do is
   hidden until it runs. Texts come from the page, for they are translated there. It is long because every way to another
   position (links, keys, slider, moves, playing by itself) ends in the same step.

   <section data-replay data-ply="37" data-last="120" data-frames-url="…"
            data-frames-step="100">   the root; data-ply is what is drawn
     <svg class="board">          as engine.scene.svg writes it, with the stage of the whole replay and live=True;
                                  data-prefix="…" when its ids have a prefix
     <p data-caption aria-live="polite">                      what happened at this ply
     <pre data-picture>                                       optional: the board as text
     <a class="first|previous|next|last" href="?ply=…">       without href and aria-disabled="true" where it leads nowhere
     <input type="range" data-slider min="0" max="120" value="37" hidden>   in the timeline, see js/timeline.js
     <script id="replay-steps">     where steps by action, turn and event lead, see js/steps.js
     <button data-what-if hidden>  begins a branch at this ply: js/what-if.js
     <select data-steps>          by what is stepped: action, turn, event, token
     <a data-find-position>       looks closer at how often the position was reached, see js/closer.js
     <a data-begin>               plays from the beginning; gone with the first step
     [data-at-the-end], [data-before-the-end]   anywhere on the page: shown at the last ply alone, or before it,
                                  unless the root has data-tells
     <details data-menu>          closes with a click elsewhere
     [data-shown-ply]             anywhere on the page: a field with the ply
     [data-script]                what only the script can do
     <a data-next-event>, <a data-mistake>, <a data-seat-next="R">   links to the next event, the mistake, a seat's next turn
     <button data-autoplay data-play="Play" data-pause="Pause" aria-pressed="false" hidden>
     <select data-speed>          values: milliseconds a ply
     <button data-share data-done="Link copied" aria-live="polite" hidden>   copies the address of this ply
     <button data-names aria-pressed="false" hidden>          full names on the pieces in place of numbers
     <button data-other-side>     optional: see js/other-side.js
     <button data-keys hidden>    opens <dialog data-keys-dialog>, which lists the keys; closes it: <button data-close>
     <div data-moves-part>        the moves around this ply; ?ply=N&part=moves answers with those around another
       <ol data-moves>            scrolls by itself; in it <a data-ply="1" href="?ply=1">, aria-current="step" on one
     <div data-tray="R">          one a seat; in it, each optional: the SVG of engine.scene.tray_svg,
       [data-count="KEY"] (its number), [data-mark="KEY"] (hidden when it is not so),
       [data-place] (its place; hidden while there is none), [data-said] (the whole tray as a sentence);
       data-marks="first turn" on the tray itself names the marks that are so, for styles
     .controls-at [data-at]       optional: the number of the ply, as text
   </section>

   data-frames-url answers {"frames": [...]}, data-frames-step frames from ?start=N on, the first of them whole; they
   are those of engine.scene.frames. Whatever fails to load, the links still lead there. */

import { Closer } from "./js/closer.js";
import { fold, homeOf, isTyping, motionOf, Table, Tray, waysOf, write } from "./js/scene.js";
import { Steps } from "./js/steps.js";
import { Timeline } from "./js/timeline.js";

const LEAP = 10;
const AHEAD = 20;
const SWIPE = 40;
const SETTLED = 200;
const CALM = 2000;
const WELL_IN_SIGHT = 0.3;
const WHAT_IF = "#what-if=";

/* The frames, folded: for every ply what lies where. They are fetched some at a time, those that are needed. */
class Film {
  constructor(url, step) {
    this.url = url;
    this.step = step;
    this.plies = new Map();
    this.loading = new Map();
  }

  has(ply) {
    return this.plies.has(ply);
  }

  get(ply) {
    return this.plies.get(ply);
  }

  async at(ply) {
    if (!this.has(ply)) {
      await this.load(ply - (ply % this.step));
    }
    if (!this.has(ply)) {
      throw new RangeError(`no ply ${ply}`);
    }
    return this.get(ply);
  }

  load(start) {
    if (!this.loading.has(start)) {
      const fetching = this.fetchFrom(start).finally(() => this.loading.delete(start));
      this.loading.set(start, fetching);
    }
    return this.loading.get(start);
  }

  async fetchFrom(start) {
    const url = `${this.url}?start=${start}`;
    const answer = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
    if (!answer.ok) {
      throw new Error(`${answer.status} for ${url}`);
    }
    const { frames } = await answer.json();
    let before;
    for (const frame of frames) {
      before = fold(before, frame);
      this.plies.set(frame.ply, before);
    }
  }
}

class Replay {
  constructor(root) {
    this.root = root;
    this.ply = this.wanted = Number(root.dataset.ply);
    this.last = Number(root.dataset.last);
    this.film = new Film(root.dataset.framesUrl, Number(root.dataset.framesStep));
    this.svg = root.querySelector("svg.board");
    this.table = new Table(this.svg);
    this.part = (selector) => root.querySelector(selector);
    this.parts = (selector) => [...root.querySelectorAll(selector)];
    this.steps = new Steps(JSON.parse(document.getElementById("replay-steps")?.textContent ?? "{}"), this.last);
    const line = this.part("[data-timeline]");
    this.timeline = line && new Timeline(line, this.last, (ply) => this.steer(ply));
    this.trays = new Map(this.parts("[data-tray]").map((element) => [element.dataset.tray, new Tray(element)]));
    this.readMoves();
    this.closer = this.part("[data-closer]") && new Closer(this);
    this.listen();
    this.reveal();
    this.mark();
    document.fonts.ready.then(() => this.scrollToMove());
    this.film.at(this.ply).then(() => this.goToAddress(), () => {});
    this.lookAhead();
    if (location.hash.startsWith(WHAT_IF)) {
      this.openWhatIf("open");
    }
  }

  /* A page that was kept on this device is drawn at one ply, whichever ply its address asks for. */
  goToAddress() {
    this.adopt();
    const asked = new URL(location).searchParams.get("ply") ?? "";
    const isSteered = this.wanted !== this.ply || this.settling; // the address is kept late
    if (/^\d+$/.test(asked) && Math.min(Number(asked), this.last) !== this.ply && !isSteered) {
      return this.go(Number(asked));
    }
  }

  readMoves() {
    this.moves = new Map(this.parts("[data-moves] a[data-ply]").map((link) => [Number(link.dataset.ply), link]));
    this.moves.forEach((move) => (move.tabIndex = -1));
    this.stop = null;
  }

  /* Fetches what may be stepped to soon. */
  lookAhead() {
    for (const ply of [this.wanted - AHEAD, this.wanted + AHEAD]) {
      this.film.at(Math.max(0, Math.min(this.last, ply))).catch(() => {});
    }
  }

  /* Takes over what the server drew as soon as it is known what that is. */
  adopt() {
    if (!this.adopted && this.film.has(this.ply)) {
      this.adopted = true;
      this.table.adopt(this.film.get(this.ply).pieces);
    }
  }

  reveal() {
    const controls = "[data-slider], [data-autoplay], [data-what-if], [data-script]";
    this.parts(controls).forEach((control) => (control.hidden = false));
  }

  listen() {
    const on = (selector, event, act) => this.part(selector)?.addEventListener(event, act);
    on(".first", "click", (event) => this.follow(event, 0));
    on(".previous", "click", (event) => this.follow(event, this.stepTo(-1)));
    on(".next", "click", (event) => this.follow(event, this.stepTo(1)));
    on("[data-next-event]", "click", (event) => this.follow(event, this.steps.from(this.wanted, 1, "event")));
    on("[data-look-closer]", "click", (event) => {
      event.preventDefault();
      this.closer.toggle();
    });
    on("[data-find-position]", "click", (event) => {
      event.preventDefault();
      this.closer.find();
    });
    on("[data-what-if]", "click", () => this.openWhatIf("begin"));
    on("[data-mistake]", "click", () => this.steer(this.last));
    this.parts("[data-seat-next]").forEach((link) => {
      link.addEventListener("click", (event) => this.follow(event, this.steps.ofSeat(this.wanted, 1, link.dataset.seatNext)));
    });
    on(".last", "click", (event) => this.follow(event, this.last));
    on("[data-moves-part]", "click", (event) => {
      const link = event.target.closest("a[data-ply]");
      if (link) {
        this.follow(event, Number(link.dataset.ply));
      }
    });
    on("[data-slider]", "input", (event) => this.steer(Number(event.target.value)));
    on("[data-autoplay]", "click", () => this.toggleAutoplay());
    on("[data-begin]", "click", (event) => {
      event.preventDefault();
      this.play();
      this.part("[data-autoplay]").focus();
      this.begun();
    });
    document.addEventListener("click", ({ target }) => this.closeMenu(target));
    on("[data-speed]", "change", () => this.timer && this.play());
    on("[data-share]", "click", (event) => this.share(event.currentTarget));
    on("[data-names]", "click", (event) => this.toggleNames(event.currentTarget));
    on("[data-keys]", "click", () => this.part("[data-keys-dialog]")?.showModal());
    on("[data-keys-dialog] [data-close]", "click", () => this.part("[data-keys-dialog]").close());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("atta:place", () => this.settling && this.settle());
    addEventListener("hashchange", () => this.followAddress());
    this.swipes();
  }

  /* The large button goes with the first step. */
  begun() {
    this.part("[data-begin]")?.remove();
  }

  /* A click elsewhere, or on what is to be seen elsewhere, closes the menu; from event to event it stays. */
  closeMenu(target) {
    const menu = this.part("[data-menu]");
    if (menu && (!menu.contains(target) || target.closest("a:not([data-next-event])"))) {
      menu.open = false;
    }
  }

  /* A click that the script can answer; with another button or key it stays a link. */
  follow(event, ply) {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    event.preventDefault();
    this.steer(ply);
  }

  /* Where a step leads, by what the reader chose to step. */
  stepTo(by, kind = this.part("[data-steps]")?.value) {
    return this.steps.from(this.wanted, by, kind);
  }

  /* A person goes somewhere, so autoplay ends. */
  steer(ply) {
    this.pause();
    this.whatIf?.leave();
    return this.go(ply);
  }

  async go(ply) {
    this.wanted = Math.max(0, Math.min(this.last, ply));
    const wanted = this.wanted;
    try {
      await this.film.at(wanted);
    } catch {
      location.assign(this.address(wanted));
      return;
    }
    this.adopt();
    if (wanted === this.wanted && wanted !== this.ply) {
      this.show(wanted);
    }
    this.lookAhead();
  }

  /* Steps that follow one another faster than a piece moves are shown without motion. */
  show(ply) {
    const scene = this.film.get(ply);
    const step = ply - this.ply;
    const near = this.steps.begin(ply) - this.steps.begin(this.ply);
    const isNext = Math.abs(step) === 1 || this.steps.from(this.ply, Math.sign(step)) === ply;
    const isHurried = performance.now() - this.shownAt < this.motion();
    const motion = isNext && near && !isHurried ? this.motion() : 0;
    this.shownAt = performance.now();
    this.begun();
    const home = motion && step > 0 && homeOf(this.film.get(this.ply), scene);
    this.table.show(scene.pieces, { motion, paths: this.paths(ply, step), home });
    this.table.drawTraces(this.whole(ply).traces);
    this.trays.forEach((tray, seat) => tray.show(scene.trays.get(seat)));
    this.ply = ply;
    this.say({ ...scene, caption: this.whole(ply).caption });
    this.mark();
    this.closer?.follow();
    this.keepAddress();
  }

  /* Loads what is needed to play on otherwise. Where it fails to load, the page stays as it is. */
  async openWhatIf(how, token) {
    try {
      const { WhatIf } = await import("./js/what-if.js");
      this.whatIf ??= new WhatIf(this);
      await this.whatIf[how](token);
    } catch (error) {
      const isUnreached = !navigator.onLine || error instanceof TypeError;
      this.say({ caption: isUnreached ? this.root.dataset.unreached : error.message, lines: [] });
    }
  }

  /* Shows the present ply once more, after something else was shown. */
  again() {
    const scene = this.film.get(this.ply);
    if (scene) {
      this.trays.forEach((tray, seat) => tray.show(scene.trays.get(seat)));
      this.say({ ...scene, caption: this.whole(this.ply).caption });
    }
  }

  /* What an action did, with what followed it and changed nothing on the board. */
  whole(ply) {
    const begin = this.steps.begin(ply);
    const plies = Array.from({ length: ply - begin + 1 }, (_, at) => this.film.get(begin + at)).filter(Boolean);
    const traces = plies.findLast((scene) => scene.traces.length)?.traces ?? [];
    return { traces, caption: plies.map(({ caption }) => caption).join(" ") };
  }

  /* The way that pieces walk in a step. */
  paths(ply, step) {
    const { traces } = this.film.get(this.steps.begin(step > 0 ? ply : this.ply)) ?? { traces: [] };
    return waysOf(traces, step > 0);
  }

  motion() {
    return motionOf(this.root);
  }

  say(scene) {
    const picture = scene.lines.join("\n");
    const writeTo = (selector, text) => this.parts(selector).forEach((part) => write(part, text));
    writeTo("[data-caption], svg.board > title", scene.caption);
    writeTo("[data-picture], svg.board > desc", picture);
    writeTo(".controls-at [data-at]", this.ply);
    document.querySelectorAll("[data-shown-ply]").forEach((field) => (field.value = this.ply));
    document.querySelectorAll("[data-copy-board]").forEach((button) => (button.dataset.copy = picture));
  }

  /* Controls and move list at the present ply. */
  mark() {
    const { ply, last } = this;
    if (!("tells" in this.root.dataset)) {
      document.querySelectorAll("[data-at-the-end]").forEach((part) => (part.hidden = ply !== last));
      document.querySelectorAll("[data-before-the-end]").forEach((part) => (part.hidden = ply === last));
    }
    const { steps } = this;
    const leads = { ".first": 0, ".previous": this.stepTo(-1), ".next": this.stepTo(1), ".last": last };
    Object.entries(leads).forEach(([selector, to]) => this.lead(this.part(selector), to));
    this.part("[data-find-position]")?.setAttribute("href", `${this.address(ply)}&closer#elsewhere`);
    this.lead(this.part("[data-next-event]"), steps.from(ply, 1, "event"));
    this.parts("[data-seat-next]").forEach((link) => this.lead(link, steps.ofSeat(ply, 1, link.dataset.seatNext)));
    this.timeline?.show(ply);
    const slider = this.part("[data-slider]");
    if (slider) {
      slider.value = ply;
      slider.setAttribute("aria-valuetext", `${ply} / ${last}: ${this.part("[data-caption]")?.textContent ?? ""}`);
    }
    // One stop for the tab key, not hundreds: the current move, or the first.
    this.part("[data-moves] [aria-current]")?.removeAttribute("aria-current");
    this.stop && (this.stop.tabIndex = -1);
    this.stop = this.moves.get(ply) ?? this.moves.values().next().value;
    this.stop?.removeAttribute("tabindex");
    this.moves.get(ply)?.setAttribute("aria-current", "step");
    this.scrollToMove();
    this.turnMoves();
  }

  /* Lists the moves around the present ply, where there are too many to list all. */
  async turnMoves() {
    const asked = this.ply;
    if (this.turning || this.moves.has(Math.max(asked, 1)) || !this.last) {
      return;
    }
    this.turning = true;
    try {
      const url = new URL(this.address(asked));
      url.searchParams.set("part", "moves");
      const answer = await fetch(url, { credentials: "same-origin" });
      if (!answer.ok) {
        return;
      }
      const focused = this.part("[data-moves-part]").contains(document.activeElement);
      this.part("[data-moves-part]").innerHTML = await answer.text();
      this.readMoves();
      this.whatIf?.hang();
      if (focused) {
        this.part("[data-moves]").focus();
      }
    } catch {
      return;
    } finally {
      this.turning = false;
    }
    if (this.moves.has(Math.max(asked, 1))) {
      this.mark();
    }
  }

  lead(link, to) {
    if (!link) {
      return;
    }
    if (to === this.ply || to < 0 || to > this.last) {
      link.tabIndex = -1; // so that it keeps the focus if it has it
      link.removeAttribute("href");
      link.setAttribute("aria-disabled", "true");
    } else {
      link.setAttribute("href", this.address(to));
      link.removeAttribute("tabindex");
      link.removeAttribute("aria-disabled");
    }
  }

  /* The list scrolls within itself; the page stays. A move that is well in sight stays where it is. */
  scrollToMove() {
    const list = this.part("[data-moves]");
    const link = this.moves.get(this.ply);
    if (!list) {
      return;
    }
    if (!link) {
      list.scrollTop = 0;
      return;
    }
    const [box, line] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
    const off = line.top - box.top - (box.height - line.height) / 2;
    if (Math.abs(off) > box.height * WELL_IN_SIGHT) {
      list.scrollTop += off;
    }
  }

  address(ply) {
    const url = new URL(location.href);
    url.searchParams.set("ply", ply);
    this.closer?.isOpen ? url.searchParams.set("closer", "") : url.searchParams.delete("closer");
    return url.href;
  }

  /* Late, for browsers refuse many changes in a short time. */
  keepAddress() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), SETTLED);
  }

  settle() {
    clearTimeout(this.settling);
    this.settling = null;
    history.replaceState(history.state, "", this.address(this.ply));
  }

  /* Follows a link to a branch of this game, or back from one. */
  async followAddress() {
    await this.goToAddress();
    if (this.whatIf || location.hash.startsWith(WHAT_IF)) {
      await this.openWhatIf("reopen");
    }
  }

  // Autoplay

  toggleAutoplay() {
    if (this.timer) {
      this.pause();
    } else {
      this.play();
    }
  }

  play() {
    const every = Number(this.part("[data-speed]")?.value) || 1200;
    clearInterval(this.timer);
    if (this.ply === this.last) {
      this.go(0);
    }
    this.timer = setInterval(() => this.tick(), every);
    this.showAutoplay();
  }

  tick() {
    if (this.ply === this.last || this.stepTo(1) === this.ply) {
      this.pause();
    } else if (this.wanted === this.ply) {
      this.go(this.stepTo(1));
    }
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.showAutoplay();
  }

  showAutoplay() {
    const button = this.part("[data-autoplay]");
    if (button) {
      button.setAttribute("aria-pressed", String(Boolean(this.timer)));
      button.textContent = this.timer ? button.dataset.pause : button.dataset.play;
    }
  }

  // Other controls

  toggleNames(button) {
    const pressed = this.root.classList.toggle("full-names");
    button.setAttribute("aria-pressed", String(pressed));
  }

  async share(button) {
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(this.address(this.ply));
      button.textContent = button.dataset.done;
    } catch {
      button.textContent = this.address(this.ply);
    }
    setTimeout(() => (button.textContent = said), 10 * SETTLED);
  }

  key(event) {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) {
      return;
    }
    if (this.whatIf?.isOpen) {
      return; // the board that is acted on takes the keys
    }
    const step = (by, kind) => () => this.steer(this.stepTo(by, kind));
    const mistake = this.part("[data-mistake]");
    const anywhere = {
      ArrowLeft: step(-1, event.shiftKey ? "event" : undefined),
      ArrowRight: step(1, event.shiftKey ? "event" : undefined),
      ",": step(-1, "token"),
      ".": step(1, "token"),
      b: () => this.openWhatIf("begin"),
      l: () => this.closer?.toggle(),
      t: () => this.part("[data-slider]")?.focus(),
      f: () => this.toggleNames(this.part("[data-names]")),
      o: () => this.part("[data-other-side]")?.click(),
      m: mistake && (() => mistake.click()),
      "?": () => this.part("[data-keys-dialog]")?.showModal(),
    };
    // Keys that scroll a page are ours only while the focus is in here.
    const within = {
      ArrowUp: () => this.steer(this.steps.ofSeat(this.wanted, -1)),
      ArrowDown: () => this.steer(this.steps.ofSeat(this.wanted, 1)),
      PageUp: () => this.steer(this.wanted - LEAP),
      PageDown: () => this.steer(this.wanted + LEAP),
      Home: () => this.steer(0),
      End: () => this.steer(this.last),
      " ": () => this.toggleAutoplay(),
    };
    const act = anywhere[event.key] ?? (this.root.contains(event.target) && within[event.key]);
    if (act && !(event.key === " " && event.target.closest("a, button, summary"))) {
      event.preventDefault();
      act();
    }
  }

  swipes() {
    let start = null;
    const begin = ({ touches }) => (start = touches.length === 1 ? touches[0] : null);
    this.svg.addEventListener("touchstart", begin, { passive: true });
    this.svg.addEventListener("touchend", ({ changedTouches: [end] }) => {
      const across = start ? end.clientX - start.clientX : 0;
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(end.clientY - start.clientY)) {
        this.steer(this.stepTo(-Math.sign(across)));
      }
      start = null;
    });
  }
}

/* Keeps the game on this device when all else is done, so that no first view gets slower by it. */
function keepLater(root) {
  const keep = () => import("./js/offline/keeping.js").then((keeping) => keeping.keep(root));
  addEventListener("load", () => setTimeout(() => keep().catch(() => {}), CALM));
}

document.querySelectorAll("[data-replay]").forEach((root) => new Replay(root) && keepLater(root));
