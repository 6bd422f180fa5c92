/* The parts of a table's page that the server writes: fetched anew whenever something has happened.

   new Parts(root, { known, onRead, onAway })
     known()     the drawings that the page has already
     newest()    the number of the last event that is known
     onRead()    they have changed
   [data-part="NAME"]   a part; what somebody is writing in it, has chosen or opened, and the focus stay
   js/redraw.js says when nothing is being pressed. */

import { patiently } from "../patience.js";
import { released } from "../redraw.js";

const WRITTEN = "input:not([type=hidden], [readonly])";
const FOCUSABLE = "a, button, input, select, textarea, summary";

export class Parts {
  constructor(root, options) {
    this.root = root;
    this.options = options;
    this.shown = new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, markupOf(part)]));
  }

  /* Fetches them one after another: a call while it fetches is another fetch afterwards. */
  async refresh() {
    this.again = Boolean(this.isFetching);
    if (this.isFetching) {
      return;
    }
    this.isFetching = true;
    try {
      const known = encodeURIComponent(this.options.known().join(","));
      const found = await patiently(`${location.pathname}?parts&known=${known}`);
      if (found.ok) {
        const page = new DOMParser().parseFromString(await found.text(), "text/html");
        await released(this.root);
        this.replace(page);
      }
    } catch {
      this.options.onAway();
    }
    this.isFetching = false;
    if (this.again) {
      this.refresh();
    }
  }

  /* What was fetched before something happened is not shown: it is fetched again. */
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
        put(document.importNode(part, true), old);
      }
    }
    this.options.onRead();
  }
}

/* What the server wrote, without what differs in every answer and without what is not shown where there are scripts. */
function markupOf(part) {
  const copy = part.cloneNode(true);
  copy.querySelectorAll("noscript, [name=csrfmiddlewaretoken]").forEach((one) => one.remove());
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
