/* A study's page without reloading: links to positions and the author's forms fetch the page, and the chapter in it is
   exchanged. The page works without this script, except for acting on the board. It knows no rules: positions come from
   `data-positions`, and every action is checked when its form is sent.

   [data-study]                  the root; data-positions is where positions come from
     [data-chapter]              the chapter, exchanged as a whole; data-node is the position shown
       a[data-go="next"]         where the keys lead; [data-tree] has the current action, aria-current
       form[data-swap]           an act of the author; form[data-play] adds an action
       button[data-act-here]     begins to act on the board; the parts are in template[data-acting]
       button[data-draw]         draws marks with the pointer: js/study-drawing.js
     [data-study-said]           a live region
     .study-around               what is around the chapter, exchanged as well

   Requests follow one another: a key pressed meanwhile leads on from where the one before has led, and a second touch of
   a form that is already exchanged does nothing. A comment that is written and not saved goes before anything else. */

import { Drawing } from "./study-drawing.js";

const ENDED = "atta:ended";

class Study {
  constructor(root) {
    this.root = root;
    this.last = Promise.resolve();
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("submit", (event) => this.submit(event));
    root.addEventListener("atta:undo", () => this.go("previous"));
    addEventListener("popstate", () => this.inTurn(() => this.fetch(location.href)));
    addEventListener("beforeunload", (event) => this.unsaved() && event.preventDefault());
    document.addEventListener("keydown", (event) => this.key(event));
    this.drawing = this.part("[data-draw]") && new Drawing(this);
    this.reveal();
    if (sessionStorage.getItem(ENDED)) {
      sessionStorage.removeItem(ENDED);
      this.part("[data-act-here]")?.focus();
    }
  }

  part(selector) {
    return this.root.querySelector(selector);
  }

  reveal() {
    this.parts(["[data-act-here]"]).forEach((one) => (one.hidden = Boolean(this.acting)));
    this.drawing?.reveal();
    // One stop for the tab key, not hundreds: the current move, or the first.
    const moves = this.parts(["[data-tree] .move"]);
    const current = moves.find((move) => move.hasAttribute("aria-current")) ?? moves[0];
    moves.forEach((move) => (move.tabIndex = move === current ? 0 : -1));
    this.part("[data-tree] [aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  parts(selectors) {
    return selectors.flatMap((selector) => [...this.root.querySelectorAll(selector)]);
  }

  click(event) {
    const link = event.target.closest("[data-chapter] a[href^='?']");
    const plain = !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (link && plain) {
      event.preventDefault();
      this.inTurn(() => this.visit(link.href));
    } else if (event.target.closest("[data-act-here]")) {
      this.inTurn(() => this.begin());
    } else if (event.target.closest("[data-act-end]")) {
      this.end();
    }
  }

  key(event) {
    const ways = { ArrowLeft: "previous", ArrowRight: "next", ArrowUp: "earlier", ArrowDown: "later", Home: "first", End: "last" };
    const busy = event.target.closest("input, textarea, select, [data-acting-stage], details");
    if (ways[event.key] && !busy && !this.acting && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.go(ways[event.key]) && event.preventDefault();
    }
  }

  go(way) {
    const link = () => this.part(`[data-go="${way}"][href]`);
    const leads = Boolean(link()) || this.waiting > 0;
    leads && this.inTurn(() => link() && this.visit(link().href));
    return leads;
  }

  async visit(address) {
    const url = (await this.saved()) && (await this.fetch(address));
    url && url !== location.href && history.pushState(null, "", url);
  }

  waiting = 0;

  /* :returns: what a step returns when all before it have ended; nothing where the site did not answer. */
  inTurn(step) {
    this.waiting += 1;
    this.last = this.last
      .then(step)
      .catch((error) => {
        console.error(error);
        this.say(this.root.dataset.unreached);
      })
      .finally(() => (this.waiting -= 1));
    return this.last;
  }

  say(text) {
    const note = Object.assign(document.createElement("p"), { className: "note rejected", textContent: text });
    const messages = Object.assign(document.createElement("div"), { className: "messages", role: "status" });
    messages.append(note);
    document.querySelectorAll("main > .messages").forEach((old) => old.remove());
    document.querySelector("main").prepend(messages);
  }

  /* :returns: the comment's field if something is written in it that is not saved. */
  unsaved() {
    const field = this.part("#comment");
    return field && field.value !== field.defaultValue ? field : null;
  }

  /* Saves a comment that is written and not saved. :returns: whether nothing is left to save. */
  async saved() {
    const field = this.unsaved();
    if (!field) {
      return true;
    }
    const body = new FormData(field.form);
    body.set("act", "comment");
    const url = await this.fetch(field.form.getAttribute("action"), { method: "POST", body });
    return Boolean(url);
  }

  submit(event) {
    const form = event.target.closest("form[data-swap]");
    if (form) {
      event.preventDefault();
      const body = new FormData(form, event.submitter);
      this.inTurn(() => form.isConnected && this.send(form.getAttribute("action"), body, form));
    }
  }

  async send(address, body, form = null) {
    if (body.get("act") !== "comment" && this.unsaved()) {
      if (!(await this.saved())) {
        return null;
      }
      body.set("version", this.part("[data-chapter] [name=version]").value);
    }
    const url = await this.fetch(address, { method: "POST", body }, form);
    url && history.replaceState(null, "", url);
    return url;
  }

  /* Fetches a page and takes over its chapter and its messages. :returns: its address; none where it is a refusal. */
  async fetch(address, options = {}, form = null) {
    const written = this.part("#comment")?.value;
    const answer = await fetch(address, { credentials: "same-origin", ...options });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [chapter, around] = ["[data-chapter]", ".study-around"].map((name) => page.querySelector(name));
    if (!chapter && options.method && !answer.ok) {
      throw new Error(`${answer.status} ${answer.statusText}`);
    }
    if (!chapter) {
      location.assign(answer.url);
      return null;
    }
    const [field, next] = [this.part("#comment"), chapter.querySelector("#comment")];
    const here = chapter.dataset.node === this.part("[data-chapter]").dataset.node;
    const since = next && field.value !== written;
    if (since && here) {
      next.value = field.value;
    } else if (since && !options.method) {
      return (await this.saved()) ? this.fetch(address) : null;
    }
    if (answer.ok && form?.closest(".study-around")) {
      form.reset(); // what it held is done, and not written still
    }
    this.take(page, document.adoptNode(chapter), document.adoptNode(around), form);
    return answer.ok ? answer.url : null;
  }

  take(page, chapter, around, form) {
    const focused = document.activeElement?.closest?.("[data-chapter], .study-around") ? document.activeElement : null;
    const again = focused && sameAs(focused);
    this.part("[data-chapter]").replaceWith(chapter);
    this.surround(around);
    for (const name of ["version", "title"]) {
      const [field, next] = [this.root, page].map((one) => one.querySelector(`.study-share [name=${name}]`));
      field && (field.value = next.value);
    }
    document.querySelectorAll("main > .messages").forEach((old) => old.remove());
    document.querySelector("main").prepend(...[...page.querySelectorAll("main > .messages")].map((one) => document.adoptNode(one)));
    if (this.acting) {
      this.place();
      this.position(this.board.known).then((position) => this.board.show(position));
    }
    this.reveal();
    focused && this.focus(this.acting?.contains(focused) ? focused : this.part(again));
    this.announce(form);
  }

  /* What an act was about may be gone, and a link that leads nowhere keeps the focus. */
  focus(wanted) {
    const next = wanted ?? this.part("[data-tree] [aria-current]") ?? this.part("[data-tree]");
    if (next.matches("a:not([href])")) {
      next.tabIndex = -1;
    }
    next.focus();
  }

  /* Says what the chapter shows, or why an act was refused: what is exchanged as a whole is not read aloud. The board
     that is acted on says itself what it shows. After an act on the chapters, their order. */
  announce(form) {
    const refusal = document.querySelector("main > .messages")?.textContent.trim();
    const parts = this.acting ? [] : ["[data-caption]", ".study-comment, #comment", "[data-marked]"];
    const said = (part) => (part?.value ?? part?.textContent ?? "").trim();
    const shown = form?.closest(".study-around") ? [this.order()] : parts.map((name) => said(this.part(name)));
    this.part("[data-study-said]").textContent = refusal || shown.filter(Boolean).join(" ");
  }

  order() {
    return this.parts([".chapters li"]).map((one) => one.textContent.trim()).join(", ");
  }

  /* Exchanges what is around the chapter; what is open and what is written there stays. */
  surround(fresh) {
    const old = this.part(".study-around");
    const same = (name) => old.querySelector(name)?.value === fresh.querySelector(name)?.value;
    const here = same("[name=chapter]");
    const folds = fresh.querySelectorAll("details");
    old.querySelectorAll("details").forEach((fold, at) => folds[at] && (folds[at].open = fold.open));
    for (const field of old.querySelectorAll("input[id], textarea[id]")) {
      const next = fresh.querySelector(`#${field.id}`);
      if (next && field.value !== field.defaultValue && (here || field.id !== "chapter-title")) {
        next.value = field.value;
      }
    }
    old.replaceWith(fresh);
  }

  // Acting

  async begin() {
    const template = this.part("template[data-acting]");
    const [{ Board }] = await Promise.all([import("./board.js"), styled(template.dataset.style)]);
    const acting = template.content.cloneNode(true).querySelector("[data-acting-stage]");
    acting.querySelector("svg").dataset.prefix = "acting-";
    const position = await this.position([]);
    this.acting = acting;
    this.place();
    this.root.dataset.confirm = "no";
    this.board = new Board(this.root, { onAct: (token) => this.act(token), position, confirm: false });
    this.reveal();
    this.acting.focus({ preventScroll: true });
  }

  place() {
    this.part("[data-drawn]").replaceWith(this.acting);
  }

  /* The board listens to the whole page: a new page listens to it no longer. */
  end() {
    sessionStorage.setItem(ENDED, "yes");
    location.reload();
  }

  async position(known) {
    const { record } = this.part("template[data-acting]").dataset;
    const body = JSON.stringify({ text: record, known });
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const answer = await fetch(this.root.dataset.positions, { method: "POST", body, headers });
    const { position, error } = await answer.json();
    if (error) {
      throw new Error(error.message);
    }
    return position;
  }

  async act(token) {
    const form = this.part("form[data-play]");
    const body = new FormData(form);
    body.set("token", token);
    body.set("act", "play");
    await this.inTurn(() => this.send(form.getAttribute("action"), body));
  }
}

/* What names an element of a chapter in the one that takes its place. Who has deleted a chapter is led to the next one, for the
   same button would delete that. */
function sameAs({ id, name, value, dataset }) {
  const button = value === "remove" ? ".chapters [aria-current]" : `button[name="act"][value="${value}"]`;
  const named = name === "act" ? button : "[data-tree] [aria-current]";
  return id ? `#${id}` : dataset.go ? `[data-go="${dataset.go}"]` : named;
}

function styled(address) {
  return new Promise((done) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address, onload: done, onerror: done });
    document.head.append(link);
  });
}

const root = document.querySelector("[data-study]");
root && new Study(root);
