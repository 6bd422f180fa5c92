/* Keeps the reader's place when the frame leads away and back: another language, hidden results, signing in.

   <form><input name="next" value="/games/k/">   with the page's own path: goes back to where the reader is now
   <a href="…?next=/games/k/">                   the same; a fragment in `next` stays where the page has none
   <a data-returns href="/account/login/">       gets such a `next`

   "atta:place" on the document: whoever writes the place into the address late (replay.js) does so now.
   What was typed into the page is kept in this tab, but for passwords and files, until the page is back. */

const KEPT = `atta:typed:${location.pathname}`;
const TYPED = "main :is(input, textarea, select)";
const LONGEST = 3_600_000;
const ACCOUNT = "/account/"; // its pages lead on to where the reader came from
const SECRET = new Set(["password", "file", "hidden", "submit", "button", "reset", "image"]);

function here() {
  document.dispatchEvent(new Event("atta:place"));
  return `${location.pathname}${location.search}${location.hash}`;
}

/* Where to go back to instead of a path; null if it leads to another page. */
function back(next) {
  const url = new URL(next, location);
  return url.pathname === location.pathname ? `${here()}${location.hash ? "" : url.hash}` : null;
}

function fields() {
  const seen = new Map();
  return [...document.querySelectorAll(TYPED)]
    .filter(({ name, type, autocomplete }) => name && !SECRET.has(type) && autocomplete !== "one-time-code")
    .map((field) => {
      const name = `${field.form?.getAttribute("action") ?? ""} ${field.name} ${field.type === "radio" ? field.value : ""}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return [`${name} ${seen.get(name)}`, field];
    });
}

function isTicked({ type }) {
  return type === "checkbox" || type === "radio";
}

function isTouched(field) {
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

/* A browser may keep nothing: then what was typed is lost, as it would be without this script. */
function keep() {
  const typed = fields().filter(([, field]) => isTouched(field));
  const values = typed.map(([name, field]) => [name, isTicked(field) ? field.checked : field.value]);
  try {
    values.length && sessionStorage.setItem(KEPT, JSON.stringify([Date.now(), values]));
  } catch {
    return;
  }
}

function restore() {
  try {
    const [since, kept] = JSON.parse(sessionStorage.getItem(KEPT) ?? "[0, []]");
    sessionStorage.removeItem(KEPT);
    const values = new Map(Date.now() - since < LONGEST ? kept : []);
    for (const [name, field] of values.size ? fields() : []) {
      if (values.has(name)) {
        field[isTicked(field) ? "checked" : "value"] = values.get(name);
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
      }
    }
  } catch {
    return;
  }
}

document.addEventListener("submit", ({ target: { elements }, defaultPrevented }) => {
  if (defaultPrevented) return; // a script does it without leaving
  const place = elements.next instanceof HTMLInputElement && back(elements.next.value);
  if (place) {
    elements.next.value = place;
    keep();
  }
});

document.addEventListener("click", ({ target, metaKey, ctrlKey, shiftKey }) => {
  const link = target.closest?.("a[href*='next='], a[data-returns]");
  if (!link || metaKey || ctrlKey || shiftKey || location.pathname.startsWith(ACCOUNT)) return;
  const url = new URL(link.href);
  const place = back(url.searchParams.get("next") ?? location.pathname);
  if (place) {
    url.searchParams.set("next", place);
    link.href = url.href;
    keep();
  }
});

addEventListener("load", restore);
