/* The search in the header: results as one types, from the page that the form leads to anyway. / puts the focus there. */

const form = document.querySelector("[data-find]");
const DELAY = 140;

class Find {
  constructor() {
    this.input = form.querySelector("input");
    this.list = form.querySelector("[data-found]");
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("focus", () => this.input.value.trim() && this.typed());
    form.addEventListener("keydown", (event) => this.key(event));
    form.addEventListener("focusout", ({ relatedTarget }) => form.contains(relatedTarget) || this.close());
    document.addEventListener("keydown", (event) => this.slash(event));
  }

  typed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask(), DELAY);
  }

  async ask() {
    const text = this.input.value.trim();
    if (!text) {
      this.close();
      return;
    }
    const asked = (this.asked = {});
    const url = `${form.action}?${new URLSearchParams({ q: text, part: "1" })}`;
    const answer = await fetch(url, { credentials: "same-origin" }).catch(() => null);
    const found = answer?.ok && (await answer.text());
    if (found && asked === this.asked && text === this.input.value.trim() && form.contains(document.activeElement)) {
      this.show(found);
    }
  }

  /* A result that has the focus keeps it if it is still among them; otherwise the field has it. */
  show(found) {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.href : null;
    this.list.innerHTML = found;
    this.list.hidden = false;
    if (focused !== null) {
      const same = [...this.list.querySelectorAll("a")].find(({ href }) => href === focused);
      (same ?? this.input).focus();
    }
  }

  /* What was asked before is not shown any more. */
  close() {
    clearTimeout(this.waiting);
    this.asked = null;
    this.list.hidden = true;
  }

  key(event) {
    const links = [...this.list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (event.key === "Escape") {
      this.input.focus(); // which asks again
      this.close();
    } else if (to !== undefined && links.length && !this.list.hidden) {
      event.preventDefault();
      (links[to] ?? this.input).focus();
    }
  }

  slash(event) {
    const on = document.activeElement;
    if (document.querySelector(".framed, [data-table], [data-board]")) {
      return; // there it is a token
    }
    const typing = on?.isContentEditable || on?.closest?.("input, select, textarea, dialog[open]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented) {
      event.preventDefault();
      this.input.focus();
    }
  }
}

if (form) {
  new Find();
}
