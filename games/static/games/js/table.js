/* The page of a table: a board to act on, and everything beside it as rendered by the server. It knows no game.

   [data-play]          data-api: the table's address in the API; data-stream: its events; sentences
     [data-part]        what comes anew whenever something has happened at the table, in the message that says so
     [data-part=data]   data-event: the newest event; data-plays: whether the reader sits here, data-at-head: on the far side of the board; data-ply, data-state, data-mine; the position as JSON
     [data-entropy]     the player's contribution to the deal, drawn here; the player may change it
     [data-acting]      shown while it is the reader's turn; [data-stage-of-board]: while there is a board
     [data-dock-of-table]   shown to players while the game is on
     [data-watching]    how many look on, once it has begun; data-one, data-many: the words, with {} for the number
   js/table/parts.js also counts down and is heard. All forms also work without this script. */

import { Board } from "./board.js";
import { Stream } from "./stream.js";
import { Clocks, Parts, patiently, Ring, Sounds } from "./table/parts.js";
import { turns } from "./turns.js";

const SECOND = 1000;

class TablePage {
  constructor(root) {
    this.root = root;
    this.shown = null;
    this.newest = 0;
    this.watching = 0;
    this.drawings = {};
    this.clocks = new Clocks(root);
    this.sounds = new Sounds(root);
    this.parts = new Parts(root, { newest: () => this.newest, onRead: () => this.read() });
    this.ring = new Ring(root, { token: () => this.token(), onLay: (setup) => this.act(setup) });
    this.read();
    this.listen();
    root.addEventListener("submit", (event) => this.submit(event));
    root.addEventListener("click", (event) => this.copy(event));
  }

  get data() {
    return this.root.querySelector("[data-part=data]");
  }

  token() {
    return this.root.querySelector("[name=csrfmiddlewaretoken]").value;
  }

  /* Updates the page from its parts. */
  read() {
    const { event, mine, plays } = this.data.dataset;
    const [position, ring] = [...this.data.querySelectorAll("script")].map((one) => JSON.parse(one.textContent));
    this.newest = Math.max(this.newest, Number(event));
    this.draw();
    this.show(position, Boolean(mine));
    this.ring.show(ring);
    this.count(this.watching);
    this.root.querySelectorAll("[data-scroll-end]").forEach(showEnd);
    this.clocks.tick();
    if (plays) {
      turns.sits();
    }
    this.root.dispatchEvent(new CustomEvent("atta:seated"));
  }

  /* Fills in a random secret if the player has not written one. */
  draw() {
    for (const field of this.root.querySelectorAll("[data-entropy]")) {
      field.value ||= [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");
    }
    this.root.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
  }

  show(position, mine) {
    this.root.querySelectorAll("[data-acting]").forEach((part) => (part.hidden = !(mine && position)));
    this.wait(position, mine);
    this.root.querySelector("[data-stage-of-board]").hidden = !position;
    turns.show(mine);
    const shown = position && `${position.ply} ${mine}`;
    if (position && shown !== this.shown) {
      this.shown = shown;
      this.board ??= new Board(this.root, { onAct: (token) => this.act(token), onOpen: (more) => this.ask(more) });
      this.board.learn(this.drawings);
      this.board.show(position);
      this.sounds.hear({ ply: position.ply, mine, over: position.over });
    }
  }

  /* The dock of a player stays while the others act, and says whose turn it is: the board keeps its size. */
  wait(position, mine) {
    const dock = this.root.querySelector("[data-dock-of-table]");
    const says = dock.querySelector("[data-sentence]");
    const { plays, state, mine: isKnown } = this.data.dataset;
    const turn = isKnown ? "" : this.root.querySelector("[data-part=now] h2").textContent;
    says.dataset.asks ??= says.dataset.empty;
    says.dataset.empty = mine ? says.dataset.asks : turn;
    if (!mine) {
      says.textContent = turn;
    }
    dock.hidden = !(plays && state === "playing" && position && !position.over);
  }

  // Acting

  async act(token) {
    const body = { ply: Number(this.data.dataset.ply), token, known: (this.board?.known ?? []).join(",") };
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(36)).join("");
    const answer = await this.post(`${this.root.dataset.api}/actions`, body, key);
    const received = await answer.json();
    const table = answer.ok ? received : received.table;
    if (table?.event >= this.newest) {
      this.newest = table.event;
      this.data.dataset.ply = table.ply;
      this.show(table.position, table.your_turn);
    }
    this.stream.hurry();
    if (!answer.ok) {
      throw Object.assign(new Error(received.error.message), { rule: received.error.place?.rule });
    }
  }

  /* Asks why something cannot be touched. */
  async ask({ touched }) {
    const query = new URLSearchParams([["known", this.board.known.join(",")], ...touched.map((target) => ["touched", target])]);
    const answer = await fetch(`${this.root.dataset.api}?${query}`, { headers: { Accept: "application/json" } });
    return (await answer.json()).position;
  }

  /* Retries with the same key if there is no response, so that it is done only once; `patiently` waits out a 429. */
  async post(address, body, key) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.token(), "Idempotency-Key": key };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await patiently(address, { method: "POST", headers, body: JSON.stringify(body) });
      } catch {
        if (attempt === 2) {
          throw new Error(this.root.dataset.lost);
        }
        await new Promise((resolve) => setTimeout(resolve, SECOND * (attempt + 1)));
      }
    }
  }

  /* Sends quiet forms as they are; the answer is the parts after that. */
  async submit(event) {
    const form = event.target;
    const button = event.submitter;
    if (!("quiet" in form.dataset)) {
      return;
    }
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, button));
    const answer = await patiently(`${location.pathname}?parts`, { method: "POST", body: fields });
    if (answer.ok) {
      this.parts.take(await answer.text());
    }
  }

  async copy(event) {
    const button = event.target.closest("[data-copy]");
    if (button) {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = button.dataset.done;
    }
  }

  // Events at the table

  listen() {
    this.stream = new Stream(this.root.dataset.stream, {
      after: this.newest,
      asks: () => ({ parts: "", known: (this.board?.known ?? []).join(",") }),
      onEvent: (body) => this.happened(body),
      onState: (open) => this.away(!open),
      onWatching: (count) => this.count(count),
    });
  }

  /* The board moves at once, then come the parts. What the event shows can only be looked at: the same position is shown
     again as the parts have it, with what can be done there. Drawings come only once, even before there is a board. */
  happened({ parts, ...body }) {
    this.newest = Math.max(this.newest, body.number);
    Object.assign(this.drawings, body.symbols);
    this.board?.learn(this.drawings);
    if (this.board?.follow(body)) {
      this.shown = null;
    }
    if (parts) {
      this.parts.take(parts);
    }
  }

  count(count) {
    this.watching = count;
    for (const part of this.root.querySelectorAll("[data-watching]")) {
      part.hidden = !count || this.data.dataset.state === "open";
      part.textContent = (count === 1 ? part.dataset.one : part.dataset.many).replace("{}", count);
    }
  }

  away(isAway) {
    const said = this.root.querySelector("[data-connection]");
    said.hidden = !isAway;
    said.textContent = isAway ? this.root.dataset.away : "";
  }
}

/* Scrolls a list to its newest entry, and marks it while something lies above what is seen. */
function showEnd(list) {
  const mark = () => list.toggleAttribute("data-more-above", list.scrollTop > 1);
  list.addEventListener("scroll", mark, { passive: true });
  list.scrollTop = list.scrollHeight;
  mark();
}

document.querySelectorAll("[data-play]").forEach((root) => new TablePage(root));
