/** A text field for typing a record: coloured by the kinds of its parts, with the first fault underlined, the legal
 * completions there, and the rule. The text is in an ordinary textarea, on top of its coloured copy, so
 * keys, selection, screen readers and phone keyboards work as usual.
 *
 * <div data-editor>
 *   <div data-under aria-hidden="true"></div><textarea></textarea>
 *   <div data-fault hidden>  <p><span data-message></span> <a data-rule></a></p> <p data-rule-text hidden></p>
 *                            <ul role="listbox" data-completions></ul> </div>
 *   <p data-tip hidden></p>  what an action does, or the text of a rule, on hover
 * </div>
 *
 * new Editor(root, {texts, rules, onInput(text), onCaret(ply), onUndo(), onRedo()}) */

import * as agn from "./agn.js";

const HISTORY = { historyUndo: "onUndo", historyRedo: "onRedo" };

export class Editor {
  constructor(root, options) {
    this.root = root;
    this.options = options;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.area = root.querySelector("textarea");
    this.under = this.part("under");
    this.list = this.part("completions");
    this.fault = null;
    this.tokens = [];
    this.chosen = -1;
    this.closed = false;
    this.ruleTexts = new Map();
    this.area.addEventListener("input", () => this.typed());
    this.area.addEventListener("beforeinput", (event) => this.history(event));
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.area.addEventListener("blur", () => this.toggle());
    this.area.addEventListener("focus", () => this.toggle());
    this.area.addEventListener("pointermove", (event) => this.hover(event));
    this.area.addEventListener("pointerleave", () => this.tip(null));
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => this.take(event.target.closest("[role=option]")?.dataset.token));
    document.addEventListener("selectionchange", () => document.activeElement === this.area && this.moved());
  }

  get text() {
    return this.area.value;
  }

  /** Shows a text that was not typed here; the caret moves to `caret`, if given. */
  show(text, caret = null) {
    if (text !== this.area.value) {
      const kept = caret ?? Math.min(this.area.selectionStart, text.length);
      this.area.value = text;
      this.area.setSelectionRange(kept, kept);
      this.placed = kept;
      this.forget();
    }
    this.draw();
  }

  /** Applies the server's response to this very text. */
  judge({ tokens, fault }) {
    const isNew = JSON.stringify(fault) !== this.judged;
    this.tokens = tokens;
    this.fault = fault;
    this.judged = JSON.stringify(fault);
    if (fault) {
      const start = agn.indexOf(this.text, fault.line, fault.column);
      const end = agn.indexOf(this.text, fault.line, fault.end_column ?? fault.column + 1);
      this.fault = { ...fault, start, end: Math.max(end, start + 1) };
    }
    this.draw();
    if (isNew) {
      this.closed = false;
      this.fill();
    } else this.toggle();
  }

  /** Drops the response, as the text has changed. */
  forget() {
    this.tokens = [];
    this.fault = null;
    this.judged = null;
    this.fill();
  }

  typed() {
    this.forget();
    this.draw();
    this.placed = this.area.selectionStart;
    this.options.onInput(this.text);
  }

  history(event) {
    const act = HISTORY[event.inputType];
    if (act) {
      event.preventDefault();
      this.options[act]();
    }
  }

  key(event) {
    const undo = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase();
    if (undo === "z" || undo === "y") {
      event.preventDefault();
      this.options[undo === "y" || event.shiftKey ? "onRedo" : "onUndo"]();
    } else if (this.isOpen()) this.choose(event);
  }

  /** Handles keys in the list of completions while it is open. */
  choose(event) {
    const offered = [...this.list.children];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const takes = event.key === "Tab" && !event.shiftKey ? Math.max(this.chosen, 0) : event.key === "Enter" ? this.chosen : -1;
    if (event.key === "Escape") this.closed = true;
    else if (step && offered.length) this.chosen = (this.chosen + step + offered.length + (this.chosen < 0 && step < 0)) % offered.length;
    else if (takes >= 0 && offered[takes] && !event.ctrlKey && !event.altKey && !event.metaKey) this.take(offered[takes].dataset.token);
    else return;
    event.preventDefault();
    this.mark();
    this.toggle();
  }

  take(token) {
    if (!token || !this.fault) return;
    const { start, end, token: wrong } = this.fault;
    const [from, to] = wrong ? [start, start + wrong.length] : [end, end];
    const changed = agn.replace(this.text, from, to, token);
    const after = from + token.length;
    const spaced = changed[after] === undefined || changed[after] === "\n" ? `${changed.slice(0, after)} ${changed.slice(after)}` : changed;
    this.area.value = spaced;
    this.area.focus();
    this.area.setSelectionRange(after + 1, after + 1);
    this.typed();
  }

  /** Handles a moved caret: in an action, or before or after all of them. */
  moved() {
    this.toggle();
    const at = this.area.selectionStart;
    if (at === this.placed) return;
    this.placed = at;
    const { items, actions } = agn.parse(this.text);
    const here = items.findLast((item) => item.start < at || (item.start === at && item.kind === "action"));
    const ply = here?.ply ?? 0;
    this.options.onCaret(ply >= actions.length ? null : ply);
  }

  // Drawing under the text

  draw() {
    const { text } = this;
    const { tags, items } = agn.parse(text);
    const spans = [
      ...tags.map(({ start, end }) => ({ start, end, kind: "tag" })),
      ...items.map((item) => ({ ...item, at: item.ply - 1 })),
    ];
    const lines = [];
    let [at, next] = [0, 0];
    for (const line of text.split("\n")) {
      const here = [];
      while (next < spans.length && spans[next].start <= at + line.length) here.push(spans[next++]);
      // A comment may span several lines.
      const open = here.at(-1);
      if (open && open.end > at + line.length + 1) spans.splice(next, 0, { ...open, start: at + line.length + 1 });
      lines.push(this.line(line, at, here));
      at += line.length + 1;
    }
    this.under.replaceChildren(...lines);
  }

  line(line, at, spans) {
    const element = document.createElement("div");
    element.className = "editor-line";
    let done = 0;
    for (const span of spans) {
      const [from, to] = [Math.max(span.start - at, 0), Math.min(span.end - at, line.length)];
      element.append(line.slice(done, from));
      element.append(this.span(line.slice(from, to), span));
      done = to;
    }
    element.append(line.slice(done) || (spans.length ? "" : "\u200b"));
    return element;
  }

  span(text, { kind, start, end, at }) {
    const element = document.createElement("span");
    const { fault } = this;
    element.className = `editor-${kind}`;
    if (fault && kind !== "tag" && start > fault.start) element.classList.add("editor-rest");
    if (fault && start <= fault.start && fault.start < end) element.classList.add("editor-wrong");
    if (kind === "action") element.dataset.action = at;
    element.textContent = text;
    return element;
  }

  // The fault, and what would be legal there

  isOpen() {
    return !this.part("fault").hidden;
  }

  fill() {
    const { fault, options } = this;
    this.chosen = -1;
    this.list.replaceChildren(...(fault?.completions ?? []).map((one, number) => this.option(one, number)));
    this.list.hidden = !this.list.children.length;
    if (fault) {
      const rule = options.rules[fault.rule];
      this.part("message").textContent = fault.message;
      this.part("rule").textContent = fault.rule;
      this.part("rule").title = rule?.title ?? "";
      if (rule) this.part("rule").href = rule.url;
    }
    this.mark();
    this.toggle();
  }

  option({ token, sentence }, number) {
    const element = document.createElement("li");
    element.setAttribute("role", "option");
    element.id = `completion-${number}`;
    element.dataset.token = token;
    const [code, words, key] = ["code", "span", "kbd"].map((name) => document.createElement(name));
    code.textContent = token;
    words.textContent = sentence ?? "";
    key.textContent = "Tab";
    element.append(code, words, ...(number ? [] : [key]));
    return element;
  }

  mark() {
    [...this.list.children].forEach((option, number) => option.setAttribute("aria-selected", String(number === this.chosen)));
    const chosen = this.list.children[this.chosen];
    if (chosen) this.area.setAttribute("aria-activedescendant", chosen.id);
    else this.area.removeAttribute("aria-activedescendant");
  }

  /** Shows the list while the caret is in the fault or right after it. */
  toggle() {
    const { fault, area } = this;
    const box = this.part("fault");
    const here = fault && area.selectionStart >= fault.start && area.selectionStart <= fault.end + 1;
    box.hidden = !(here && !this.closed && document.activeElement === area);
    area.setAttribute("aria-expanded", String(!box.hidden && !this.list.hidden));
    const wrong = this.under.querySelector(".editor-wrong");
    if (!box.hidden && wrong) this.putBelow(box, wrong);
  }

  putBelow(box, span) {
    const from = box.parentElement.getBoundingClientRect().top;
    box.style.top = `${[...span.getClientRects()].at(-1).bottom - from + 6}px`;
  }

  // What is under the pointer

  hover({ clientX, clientY }) {
    const spans = this.under.querySelectorAll(".editor-action, .editor-wrong");
    const hit = [...spans].find((span) =>
      [...span.getClientRects()].some((box) => box.left <= clientX && clientX <= box.right && box.top <= clientY && clientY <= box.bottom),
    );
    this.tip(hit ?? null);
  }

  async tip(span) {
    if (span === this.tipped) return;
    this.tipped = span;
    const tip = this.part("tip");
    const wrong = span?.classList.contains("editor-wrong") && this.fault;
    tip.hidden = true;
    if (!span || (wrong && this.isOpen())) return;
    const words = wrong ? await this.ruleText(this.fault.rule) : this.tokens[span.dataset.action]?.sentence;
    if (!words || this.tipped !== span) return;
    tip.textContent = wrong ? `${this.fault.message} ${this.fault.rule}: ${words}` : words;
    this.putBelow(tip, span);
    tip.hidden = false;
  }

  /** The text of a rule, from the rules page in the reader's language. */
  async ruleText(id) {
    const rule = this.options.rules[id];
    if (!rule || this.ruleTexts.has(id)) return this.ruleTexts.get(id) ?? "";
    try {
      const answer = await fetch(rule.url);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const said = [...(page.getElementById(id)?.querySelectorAll("p, li") ?? [])].map((part) => part.textContent).join(" ");
      this.ruleTexts.set(id, said.replace(/\s+/g, " ").slice(0, 400) || rule.title);
    } catch {
      return rule.title;
    }
    return this.ruleTexts.get(id);
  }
}
