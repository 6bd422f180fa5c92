/* The page of a table: a board to act on, and everything beside it as the server writes it. It knows no game.

   [data-play]          data-api: the table's address in the interface; data-stream: its events; sentences
     [data-part]        is fetched anew with the page's `?parts` whenever something has happened at the table
     [data-part=data]   data-event: the newest event; data-plays: whether the reader sits here; data-ply, data-state, data-mine; the position as JSON
     [data-entropy]     the player's part of the deal, drawn here and changed as he likes
     [data-acting]      shown while it is the reader's turn; [data-stage-of-board]: while there is a board
     [data-clock], [data-deadline]   count down
   Whatever is sent as a form works without this, too. */

const POLL = 2000;
const AWAY_POLL = 5000;
const SECOND = 1000;
const SPREAD = 4000;

class TablePage {
  constructor(root) {
    this.root = root;
    this.shown = -1;
    this.newest = 0;
    this.title = document.title.replace(/^\(\d+\) /, "");
    this.draw();
    this.read();
    this.listen();
    setInterval(() => this.tick(), SECOND / 4);
    root.addEventListener("submit", (event) => this.submit(event));
    root.addEventListener("click", (event) => this.copy(event));
  }

  get data() {
    return this.root.querySelector("[data-part=data]");
  }

  token() {
    return this.root.querySelector("[name=csrfmiddlewaretoken]").value;
  }

  /* A text that nobody else knows, for who has not written one. */
  draw() {
    for (const field of this.root.querySelectorAll("[data-entropy]")) {
      field.value ||= [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");
    }
    this.root.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
  }

  /* Shows what the parts say. */
  read() {
    const { event, mine } = this.data.dataset;
    const position = JSON.parse(this.data.querySelector("script").textContent);
    this.event = Number(event);
    this.show(position, Boolean(mine));
    this.root.querySelectorAll("[data-scroll-end]").forEach((list) => (list.scrollTop = list.scrollHeight));
    this.tick();
  }

  show(position, mine) {
    this.root.querySelectorAll("[data-acting]").forEach((part) => (part.hidden = !(mine && position)));
    this.root.querySelector("[data-stage-of-board]").hidden = !position;
    document.title = mine ? `(1) ${this.title}` : this.title;
    Atta.icon?.(mine);
    if (position && (position.ply !== this.shown || mine !== this.mine || (mine && this.isOnlyShown))) {
      this.shown = position.ply;
      this.mine = mine;
      this.isOnlyShown = false;
      this.board ??= new Atta.Board(this.root, { onAct: (token) => this.act(token) });
      this.board.show(position);
    }
  }

  // Acting

  async act(token) {
    const body = { ply: Number(this.data.dataset.ply), token, known: this.board.known.join(",") };
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(36)).join("");
    const answer = await this.post(`${this.root.dataset.api}/actions`, body, key);
    const told = await answer.json();
    const table = answer.ok ? told : told.table;
    if (table) {
      this.newest = Math.max(this.newest, table.event);
      this.data.dataset.ply = table.ply;
      this.show(table.position, table.your_turn);
    }
    this.refresh();
    if (!answer.ok) {
      throw Object.assign(new Error(told.error.message), { rule: told.error.place?.rule });
    }
  }

  /* Sent again with the same key where no answer came: it is done once. */
  async post(address, body, key) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.token(), "Idempotency-Key": key };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
      } catch {
        if (attempt === 2) {
          throw new Error(this.root.dataset.lost);
        }
        await new Promise((resolve) => setTimeout(resolve, SECOND * (attempt + 1)));
      }
    }
  }

  /* Forms are sent as they are, then the parts are fetched; a form that leads to another page goes there. */
  async submit(event) {
    const form = event.target;
    const button = event.submitter;
    if (button?.dataset.sure && !confirm(button.dataset.sure)) {
      event.preventDefault();
      return;
    }
    if (!("quiet" in form.dataset)) {
      return;
    }
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, button));
    await fetch(location.pathname, { method: "POST", body: fields, redirect: "manual" });
    this.refresh();
  }

  async copy(event) {
    const button = event.target.closest("[data-copy]");
    if (button) {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = button.dataset.done;
    }
  }

  // What happens at the table

  listen() {
    if (Atta.Stream) {
      this.stream = new Atta.Stream(this.root.dataset.stream, {
        after: this.event,
        onEvent: (body) => this.happened(body),
        onState: (open) => this.away(!open),
      });
    }
    this.poll();
  }

  /* The board moves at once. The rest is fetched, by those who only watch not all in the same moment. */
  happened(body) {
    this.newest = Math.max(this.newest, body.number ?? 0);
    if (this.board?.follow(body)) {
      this.shown = body.frame.ply;
      this.isOnlyShown = true; // what can be done next comes with the answer to an action, or with the parts
    }
    if (this.data.dataset.plays) {
      this.refresh();
    } else {
      this.later ??= setTimeout(() => {
        this.later = null;
        this.refresh();
      }, SECOND + Math.random() * SPREAD);
    }
  }

  async poll() {
    if (!document.hidden || !this.stream) {
      await this.look();
    }
    setTimeout(() => this.poll(), this.stream && !this.isAway ? AWAY_POLL * 4 : POLL);
  }

  async look() {
    try {
      const found = await fetch(`${location.pathname}?newest`, { headers: { Accept: "application/json" } });
      this.away(!found.ok);
      if (found.ok && (await found.json()).event !== this.event) {
        await this.refresh();
      }
    } catch {
      this.away(true);
    }
  }

  away(isAway) {
    this.isAway = isAway;
    const said = this.root.querySelector("[data-connection]");
    said.hidden = !isAway;
    said.textContent = isAway ? this.root.dataset.away : "";
  }

  /* Fetches the parts anew, one after another: a call while it fetches is another fetch afterwards. */
  async refresh() {
    this.again = Boolean(this.isFetching);
    if (this.isFetching) {
      return;
    }
    this.isFetching = true;
    try {
      const known = encodeURIComponent(this.board?.known.join(",") ?? "");
      const found = await fetch(`${location.pathname}?parts&known=${known}`);
      if (found.ok) {
        this.replace(new DOMParser().parseFromString(await found.text(), "text/html"));
      }
    } catch {
      this.away(true);
    }
    this.isFetching = false;
    if (this.again) {
      this.refresh();
    }
  }

  /* What was fetched before something happened is not shown: it is fetched again. */
  replace(page) {
    if (Number(page.querySelector("[data-part=data]").dataset.event) < this.newest) {
      return;
    }
    for (const part of page.querySelectorAll("[data-part]")) {
      const old = this.root.querySelector(`[data-part="${part.dataset.part}"]`);
      const isNews = old && old.innerHTML !== part.innerHTML;
      if (isNews || old?.hidden !== part.hidden) {
        part.open = old.open;
        this.keepFields(old, part);
        old.replaceWith(document.importNode(part, true));
      }
    }
    this.draw();
    this.read();
  }

  /* What somebody is writing stays. */
  keepFields(old, part) {
    for (const field of old.querySelectorAll("input:not([type=hidden], [readonly], [type=radio])")) {
      const same = part.querySelector(`[name="${field.name}"]`);
      same?.setAttribute("value", field.value);
    }
  }

  // Clocks

  tick() {
    for (const clock of this.root.querySelectorAll("[data-deadline]:not([data-deadline=''])")) {
      const left = Math.max(0, new Date(clock.dataset.deadline) - Date.now()) / SECOND;
      const [days, hours] = [Math.floor(left / 86400), Math.floor((left % 86400) / 3600)];
      const [minutes, seconds] = [Math.floor(left / 60), Math.floor(left % 60)];
      const pad = (number) => String(number).padStart(2, "0");
      clock.textContent = "days" in clock.dataset && days ? `${days} d ${hours} h` : `${minutes}:${pad(seconds)}`;
      clock.classList.toggle("short", left < 30);
    }
  }
}

document.querySelectorAll("[data-play]").forEach((root) => new TablePage(root));
