/** The sheets kept on this device: to open and delete them, and to import them from a text or a file.
 *
 * new Shelf(root, {texts, plural, onNew(), onOpen(sheet), onTexts(texts), onRemove(id)}) */

import { redraw } from "../redraw.js";
import * as agn from "./agn.js";

export class Shelf {
  constructor(root, options) {
    this.options = options;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.dialog = this.part("paste-dialog");
    this.part("new").addEventListener("click", () => options.onNew());
    this.part("paste").addEventListener("click", () => this.paste());
    this.part("file").addEventListener("change", () => this.openFile());
    this.part("open").addEventListener("keydown", (event) => this.fileKey(event));
    this.dialog.addEventListener("close", () => this.pasted());
    this.part("sheets").addEventListener("click", ({ target }) => this.clicked(target.closest("button")));
  }

  /** Shows the sheets; the ids of some that wait to be uploaded are in `waiting`. */
  draw(sheets, current, waiting) {
    this.sheets = sheets;
    this.waiting = waiting;
    this.part("no-sheets").hidden = sheets.length > 0;
    redraw(this.part("sheets"), sheets.map((sheet) => this.row(sheet, sheet.id === current)));
  }

  row(sheet, current) {
    const { texts, plural } = this.options;
    const row = document.createElement("li");
    row.dataset.sheet = sheet.id;
    if (current) row.className = "current";
    const line = sheet.lines.find(({ id }) => id === sheet.current) ?? sheet.lines[0];
    const names = this.names(sheet, line.text);
    const open = button("line-open", names || texts.untitled, { open: sheet.id });
    if (current) open.setAttribute("aria-current", "true");
    const count = sheet.draft ? texts.inSetup : plural(texts.actions, agn.parse(line.text).actions.length);
    const when = new Date(sheet.changed).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    const game = sheet.draft ? "" : `${agn.tag(line.text, "Game") ?? ""}, `;
    const facts = document.createElement("span");
    facts.className = "quiet";
    facts.textContent = [`${game}${count}`, when, ...this.upload(sheet)].join(" · ");
    row.append(open, facts, sheet.id === this.unsure ? this.sure(sheet.id) : this.drop(sheet.id, names));
    return row;
  }

  upload({ id, uploaded }) {
    const { texts } = this.options;
    if (this.waiting.has(id)) return [texts.uploadWaiting];
    return uploaded ? [texts.uploadedAt] : [];
  }

  drop(id, names) {
    const { texts } = this.options;
    const drop = button("line-drop", "×", { drop: id });
    drop.setAttribute("aria-label", `${texts.dropSheet}: ${names || texts.untitled}`);
    return drop;
  }

  sure(id) {
    return button("line-sure", this.options.texts.sureSheet, { sure: id });
  }

  names({ draft }, text) {
    if (draft) return draft.seats.map(({ name }) => name).filter(Boolean).join(", ");
    const place = /^(?:Red|Yellow|Orange|Brown|Black)$/;
    return agn.parse(text).tags.filter(({ name }) => place.test(name)).map(({ value }) => value).join(", ");
  }

  /** Opens a sheet; deletes one only on a second press, because that cannot be undone. */
  clicked(pressed) {
    if (pressed) this.unsure = pressed.dataset.drop;
    if (pressed?.dataset.open) this.options.onOpen(this.sheets.find(({ id }) => id === pressed.dataset.open));
    else if (pressed?.dataset.sure) this.options.onRemove(pressed.dataset.sure);
    else if (pressed?.dataset.drop) {
      const sure = this.sure(this.unsure);
      pressed.replaceWith(sure);
      sure.focus();
    }
  }

  paste() {
    this.part("paste-text").value = "";
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }

  pasted() {
    if (this.dialog.returnValue === "open") this.options.onTexts(agn.games(this.part("paste-text").value));
  }

  fileKey(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    this.part("file").click();
  }

  async openFile() {
    const [file] = this.part("file").files;
    if (!file) return;
    const text = await file.text();
    this.part("file").value = "";
    this.options.onTexts(agn.games(text));
  }
}

function button(className, text, data) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className, textContent: text });
  Object.assign(made.dataset, data);
  return made;
}
