/** The area below the board: what was saved, what can be done, and the exports, a file and an upload.
 *
 * new Dock(root, {texts, plural, onUpload({text, options}), onWay(tab)}); `onUpload` returns whether it uploads by
 * itself, or the form does */

import * as agn from "./agn.js";

export class Dock {
  constructor(root, options) {
    this.options = options;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.dialog = this.part("upload-dialog");
    this.part("save").addEventListener("click", () => this.save());
    this.part("upload").addEventListener("click", () => this.upload());
    this.part("close").addEventListener("click", () => this.dialog.close());
    this.part("upload-form").addEventListener("submit", (event) => this.submitted(event));
    this.part("notice").addEventListener("click", ({ target }) => this.leave(target.closest("button")));
  }

  /** Announces once what has happened. */
  say(words) {
    this.part("said").textContent = words;
  }

  /** Says what has happened where it is seen until somebody closes it; `tab` or `address` is where to look. */
  notice(words, tab = "", address = "") {
    this.part("notice").hidden = false;
    this.part("notice-says").textContent = words;
    this.part("notice-address").hidden = !address;
    this.part("notice-address").href = address;
    this.part("notice").querySelectorAll("[data-notice-way]").forEach((way) => (way.hidden = way.dataset.noticeWay !== tab));
  }

  leave(button) {
    if (!button) return;
    this.part("notice").hidden = true;
    if (button.dataset.noticeWay) this.options.onWay(button.dataset.noticeWay);
  }

  /** Shows what is possible now. `why` is the reason the game cannot be uploaded yet. */
  show({ text, canUndo, canRedo, answered, status, why }) {
    this.text = text;
    this.part("undo").disabled = !canUndo;
    this.part("redo").disabled = !canRedo;
    this.part("comment").disabled = !answered;
    this.part("branch").disabled = !answered;
    this.part("save").disabled = !text;
    this.part("status").textContent = status;
    this.part("upload").setAttribute("aria-disabled", String(Boolean(why)));
    this.part("upload-why").textContent = why;
  }

  get isBlocked() {
    return this.part("upload").getAttribute("aria-disabled") === "true";
  }

  /** Saves the text as a file, even if it has a fault. */
  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([agn.closed(this.text)], { type: "text/plain;charset=utf-8" }));
    link.download = this.filename();
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  filename() {
    const words = [agn.tag(this.text, "Game"), agn.tag(this.text, "Date")?.replace(/\.?\?+/g, "")];
    return `${words.filter(Boolean).join(" ").toLowerCase().replace(/[^a-z0-9]+/g, "-") || "game"}.agn`;
  }

  upload() {
    if (this.isBlocked) {
      this.say(this.part("upload-why").textContent);
      return;
    }
    this.part("upload-text").value = agn.closed(this.text);
    this.dialog.showModal();
  }

  submitted(event) {
    const { text, csrfmiddlewaretoken: _, ...options } = Object.fromEntries(new FormData(event.target));
    if (!this.options.onUpload({ text, options })) return;
    event.preventDefault();
    this.dialog.close();
  }
}
