/** A rejected record, to be corrected in place: its text, the board before the mistake, and what could fix it. Made of
 * <template data-panel>; verdict.js marks the fault in the text and previews actions on the board.
 *
 * new Panel(template, {texts, rules, several(texts, n), ask(text, use), onLegal(text)}).show(found) */

import { htmlElement } from "../scene.js";
import { prepareVerdicts } from "../verdict.js";

export class Panel {
  constructor(template, options) {
    this.template = template;
    this.options = options;
    this.root = document.createElement("div");
    this.root.addEventListener("submit", (event) => this.submitted(event));
  }

  /** Shows what the engine found about a text. */
  show(found) {
    this.found = found;
    const made = this.template.content.cloneNode(true);
    this.part = (name) => this.root.querySelector(`[data-${name}]`);
    this.root.replaceChildren(made);
    this.part("verdict").classList.add(found.verdict);
    this.drawBoard(found);
    this.drawText(found);
    this.drawRule(found);
    this.drawOffer(found.fixes);
    prepareVerdicts();
  }

  drawBoard({ board }) {
    const place = this.part("board");
    place.hidden = !board;
    if (!board) return;
    const read = new DOMParser().parseFromString(board, "image/svg+xml");
    place.prepend(document.importNode(read.documentElement, true));
  }

  drawText({ text, line, column, token, form }) {
    const editor = this.part("editor");
    const marked = form === "text" && line;
    const places = marked ? { line, column, length: token?.length ?? 0 } : { line: 0, column: 0, length: 0 };
    Object.assign(editor.dataset, { firstLine: 1, ...places });
    const area = editor.querySelector("textarea");
    area.defaultValue = text;
    area.setAttribute("aria-label", this.root.querySelector(".fix-label").textContent);
  }

  drawRule({ rule }) {
    const known = this.options.rules[rule];
    this.part("rule").hidden = !known;
    if (!known) return;
    this.part("rule-title").textContent = `${rule}: ${known.title}`;
    this.part("rule-url").href = known.url;
  }

  drawOffer(fixes) {
    this.part("offer").hidden = !fixes;
    if (!fixes) return;
    const { best, rows, others, more, sentence, token, previews } = fixes;
    this.part("offer-says").textContent = sentence;
    const button = this.part("best");
    button.hidden = !best;
    if (best) {
      Object.assign(button, { value: best.name, textContent: best.label });
      button.dataset.preview = best.token;
      const replaces = best.kind === "replace" || best.kind === "result";
      this.part("best-title").textContent = replaces ? this.options.texts.replace.replace("{old}", token).replace("{new}", best.token) : `${best.label}?`;
    }
    this.part("rows").replaceChildren(...rows.map((row) => this.drawRow(row)));
    this.part("rows").hidden = !rows.length;
    if (more) this.part("rows").append(htmlElement("p", { class: "quiet" }, this.options.several(this.options.texts.notShown, more)));
    this.part("others").parentElement.hidden = !others.length;
    this.part("others").replaceChildren(...others.map((one) => this.drawChange(one, one.label)));
    if (previews.base) {
      const data = htmlElement("script", { type: "application/json" });
      data.textContent = JSON.stringify(previews);
      this.part("fix").append(data);
    }
  }

  drawRow({ what, changes }) {
    const actions = htmlElement("div", { class: "offer-actions" }, ...changes.map((one) => this.drawChange(one, one.token)));
    return htmlElement("div", { class: "offer-row" }, ...(what ? [htmlElement("span", { class: "offer-what" }, what)] : []), actions);
  }

  drawChange({ name, token, sentence, whole, kind }, label) {
    const title = whole ? `${sentence} ${this.options.texts.whole}` : sentence;
    const preview = kind === "replace" ? { "data-preview": token } : {};
    return htmlElement("button", { class: `offer-action${whole ? " whole" : ""}`, name: "use", value: name, title, ...preview }, label);
  }

  async submitted(event) {
    event.preventDefault();
    const text = this.part("fix").elements.text.value;
    const use = event.submitter?.name === "use" ? event.submitter.value : "";
    const found = await this.options.ask(text, use);
    if (found.error) this.refuse(found.error.message);
    else if (found.verdict === "rejected") this.show(found);
    else this.options.onLegal(found);
  }

  refuse(message) {
    const place = this.part("refused");
    place.textContent = message;
    place.hidden = false;
  }
}
