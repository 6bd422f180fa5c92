/* What a table's page consists of: the parts that the server writes, clocks, sounds, and the ring that is laid. */

import { Laying } from "../laying.js";
import { released } from "../redraw.js";

const WAIT = 2;
const PATIENCE = 120;
const MILLISECONDS = 1000;
const TOKEN = "[name=csrfmiddlewaretoken]";
const WRITTEN = "input:not([type=hidden], [readonly])";
const FOCUSABLE = "a, button, input, select, textarea, summary";
const SECOND = 1000;
const SHORT = 30;
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const KEPT = "atta:sounds";
const QUIET = 0.06;
const NOTES = { action: [[330, 0, 0.05]], turn: [[523, 0, 0.12], [659, 0.13, 0.16]], over: [[523, 0, 0.14], [659, 0.15, 0.14], [784, 0.3, 0.3]] };

/* Asks the server, and waits out a refusal because of too many requests (429), so that nobody has to press again.

   patiently(address, options, { patience })   like fetch; waits as long as the answer's Retry-After says, in all at
                                               most `patience` seconds, then returns the refusal */
export async function patiently(address, options = {}, { patience = PATIENCE } = {}) {
  for (let left = patience; ; ) {
    const answer = await fetch(address, options);
    const wait = answer.status === 429 ? Math.max(1, Number(answer.headers.get("Retry-After")) || WAIT) : 0;
    if (!wait || wait > left) {
      return answer;
    }
    left -= wait;
    // Up to a second more, so that a whole club does not come back at once.
    await new Promise((resolve) => setTimeout(resolve, (wait + Math.random()) * MILLISECONDS));
  }
}

/* The parts of a table's page that the server writes: they come anew with what has happened.

   new Parts(root, { newest, onRead })
     newest()      the number of the last event that is known
     onRead()      they have changed
     .take(html)   shows them as soon as nothing is being pressed (js/redraw.js)
   [data-part="NAME"]   a part; what somebody is writing in it, has chosen or opened, and the focus stay. Its forms get
                        the token against forged requests that the page has outside of its parts, before them */
export class Parts {
  constructor(root, options) {
    this.root = root;
    this.options = options;
    this.shown = new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, markupOf(part)]));
  }

  async take(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    await released(this.root);
    this.replace(page);
  }

  /* What was written before something happened is not shown: what comes with that is newer. */
  replace(page) {
    if (Number(page.querySelector("[data-part=data]").dataset.event) < this.options.newest()) {
      return;
    }
    for (const part of page.querySelectorAll("[data-part]")) {
      const { part: name } = part.dataset;
      const markup = markupOf(part);
      const old = this.root.querySelector(`[data-part="${name}"]`);
      if (markup !== this.shown.get(name)) {
        this.shown.set(name, markup);
        part.querySelectorAll(TOKEN).forEach((one) => one.setAttribute("value", this.root.querySelector(TOKEN).value));
        put(document.importNode(part, true), old);
      }
    }
    this.options.onRead();
  }
}

/* What the server wrote, without what differs in every answer and without what is not shown where there are scripts. */
function markupOf(part) {
  const copy = part.cloneNode(true);
  copy.querySelectorAll(`noscript, ${TOKEN}`).forEach((one) => one.remove());
  return copy.outerHTML;
}

/* Puts a part in place of an older one. */
function put(part, old) {
  part.querySelectorAll("noscript").forEach((one) => one.remove());
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const selection = selectionOf(focused);
  keepFields(old, part);
  keepOpen(old, part);
  old.replaceWith(part);
  const same = focused && sameIn(part, old, focused);
  same?.focus({ preventScroll: true });
  if (same && selection) {
    same.setSelectionRange(...selection);
  }
}

/* Fields that somebody may have filled in keep their values, and choices that are still possible stay chosen. */
function keepFields(old, part) {
  for (const field of old.querySelectorAll(WRITTEN)) {
    const named = [...part.querySelectorAll(WRITTEN)].filter(({ name }) => name === field.name);
    if (field.type !== "radio") {
      named[0] && (named[0].value = field.value);
    } else if (field.checked) {
      named.filter(({ value }) => value === field.value).forEach((one) => (one.checked = true));
    }
  }
}

/* What was opened or closed stays so. */
function keepOpen(old, part) {
  const all = (root) => [root, ...root.querySelectorAll("details")].filter((one) => one.matches("details"));
  for (const one of all(old)) {
    const same = all(part).find(({ className }) => className === one.className);
    same && (same.open = one.open);
  }
}

/* What takes the place of an element in a newer part: of the same kind, name and value, counted from the first. */
function sameIn(part, old, element) {
  const kindOf = ({ localName, name, value }) => [localName, name, localName === "button" ? value : ""].join(" ");
  const kind = kindOf(element);
  const equals = (root) => [...root.querySelectorAll(FOCUSABLE)].filter((one) => kindOf(one) === kind);
  return equals(part)[equals(old).indexOf(element)];
}

function selectionOf(field) {
  const isText = field?.localName === "input" && field.type === "text";
  return isText ? [field.selectionStart, field.selectionEnd, field.selectionDirection] : null;
}

/* The clocks of a table: what is left is counted down from the moment at which it is used up.

   [data-deadline]   that moment; with data-days also as days and hours */
export class Clocks {
  constructor(root) {
    this.root = root;
    setInterval(() => this.tick(), SECOND / 4);
  }

  tick() {
    for (const clock of this.root.querySelectorAll("[data-deadline]:not([data-deadline=''])")) {
      const left = Math.max(0, new Date(clock.dataset.deadline) - Date.now()) / SECOND;
      const text = shown(left, "days" in clock.dataset);
      if (clock.textContent !== text) {
        clock.textContent = text;
      }
      clock.classList.toggle("short", left < SHORT);
    }
  }
}

function shown(left, inDays) {
  if (inDays && left >= DAY) {
    return `${Math.floor(left / DAY)} d ${Math.floor((left % DAY) / HOUR)} h`;
  }
  const [minutes, seconds] = [Math.floor((left % HOUR) / MINUTE), Math.floor(left % MINUTE)].map(twoDigits);
  return left < HOUR ? `${Number(minutes)}:${seconds}` : `${Math.floor(left / HOUR)}:${minutes}:${seconds}`;
}

function twoDigits(number) {
  return String(number).padStart(2, "0");
}

/* Sounds at a table, made by the browser itself: a tap for an action, two notes when it is the reader's turn, three at the
   end. On where there is a mouse; off on phones, which do not say whether they are silent, until they are switched on.

   new Sounds(root)
     .hear({ ply, mine, over })     what the table shows now; what it shows first is not heard
   <button data-sounds aria-pressed="…" hidden>    the switch; the choice is kept in this browser */
export class Sounds {
  constructor(root) {
    this.button = root.querySelector("[data-sounds]");
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.switch(!this.isOn));
    this.mark();
  }

  get isOn() {
    return (localStorage.getItem(KEPT) ?? (matchMedia("(pointer: fine)").matches ? "on" : "off")) === "on";
  }

  switch(isOn) {
    localStorage.setItem(KEPT, isOn ? "on" : "off");
    this.mark();
    this.play("action");
  }

  mark() {
    this.button.setAttribute("aria-pressed", String(this.isOn));
  }

  hear(now) {
    const { before } = this;
    this.before = now;
    if (!before || now.ply <= before.ply) {
      return;
    }
    if (now.over) {
      this.play("over");
    } else {
      this.play(now.mine && !before.mine ? "turn" : "action");
    }
  }

  /* Browsers let a page be heard only after somebody has touched it. */
  play(name) {
    if (!this.isOn || !navigator.userActivation?.hasBeenActive) {
      return;
    }
    this.context ??= new AudioContext();
    this.context.resume();
    for (const [pitch, from, length] of NOTES[name]) {
      this.note(pitch, this.context.currentTime + from, length);
    }
    this.button.dataset.played = name;
  }

  note(pitch, begin, length) {
    const [tone, loudness] = [this.context.createOscillator(), this.context.createGain()];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(QUIET, begin);
    loudness.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    tone.connect(loudness).connect(this.context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}

/* Lays the setup of a table card by card, where the first player has to: with the cards dealt, at first as the server
   suggests it.

   new Ring(root, { token, onLay(setup) })
     .show(ring)   what the page says of it (games/web/play/table.py), or nothing when there is none to lay
   [data-laying], [data-laying-picker]   the stage and the picker of js/laying.js; [data-lay-ring]: the button */
export class Ring {
  constructor(root, options) {
    this.root = root;
    this.options = options;
    this.stage = root.querySelector("[data-laying]");
    this.picker = root.querySelector("[data-laying-picker]");
    this.button = root.querySelector("[data-lay-ring]");
    this.button.addEventListener("click", () => this.send());
  }

  show(ring) {
    this.stage.hidden = this.picker.hidden = this.button.hidden = !ring;
    this.root.classList.toggle("is-laying", Boolean(ring));
    if (!ring || this.laying) {
      return;
    }
    this.ring = ring;
    this.laying = new Laying(this.stage, this.picker, {
      texts: ring.texts,
      ask: (_, body) => this.ask(body),
      onLay: (laid) => this.lay(laid),
      onLaid: (answer) => this.offer(answer),
    });
    this.lay(ring.suggested);
  }

  lay(laid) {
    const { slug, hand, seats } = this.ring;
    this.laying.show({ slug, laid, hand, seats: seats.map((letter) => ({ letter })) });
  }

  async ask(body) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.options.token() };
    const answer = await patiently(this.ring.setups, { method: "POST", headers, body: JSON.stringify(body) });
    return answer.ok ? answer.json() : null;
  }

  /* The button stays where it is, and can be pressed as soon as a game can begin like this. */
  offer({ complete, setup }) {
    this.button.disabled = !complete;
    this.setup = setup;
  }

  async send() {
    this.button.disabled = true;
    await this.options.onLay(this.setup).catch(() => (this.button.disabled = false));
  }
}
