/* The lobby: its lists follow what happens at the tables, and what does not apply in the form for a new one is hidden.

   <input data-entropy>   what a player adds to the deal
   <section data-list="NAME">       a list of tables: a heading, `ul` with an `li` for each (known by its link), .empty
   <p data-lobby="/live/lobby" data-version="…" data-me="/live/me">   says what there is, once that has changed; the
                                    second stream is for somebody who may sit at a table
   The server writes the lists, at `?lists`, of the filter in the page's address; rows that stay are left alone, so that focus stays where it is. */

import { Stream } from "./stream.js";

const form = document.querySelector("[data-new-table]");

function apply() {
  const against = form.elements.against.value;
  const places = form.elements.ruleset.selectedOptions[0].dataset.places.trim().split(" ");
  for (const option of form.elements.places.options) {
    option.hidden = option.disabled = !places.includes(option.value);
  }
  if (!places.includes(form.elements.places.value)) {
    form.elements.places.value = places[0];
  }
  form.querySelector("[data-for-places]").hidden = places.length === 1;
  form.querySelectorAll("[data-for-people]").forEach((part) => (part.hidden = against !== "people"));
  form.querySelector("[data-for-names]").hidden = against !== "people" || form.elements.visibility.value !== "names";
}

form.addEventListener("change", apply);
apply();

/* What the player adds to the deal is drawn here, where the site does not know it before; they may change it. */
for (const field of document.querySelectorAll("[data-entropy]")) {
  field.value ||= [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");
}

const status = document.querySelector("[data-lobby]");
const AGES = 60_000; // milliseconds after which the lists say anew how long tables have been waiting
const SPREAD = 600; // milliseconds over which readers ask for the lists, so that not all do at once
const PAUSE = 2000;

class Lists {
  constructor() {
    this.isAsked = false;
    this.isBusy = false;
    document.addEventListener("visibilitychange", () => this.fetch());
    setInterval(() => document.querySelector("[data-ages]") && this.ask(), AGES);
  }

  /* Asks for the lists unless the page shows those of a version. */
  follow(version) {
    if (version !== status.dataset.version) {
      this.ask();
    }
  }

  ask() {
    this.isAsked = true;
    setTimeout(() => this.fetch(), SPREAD * Math.random());
  }

  /* Fetches what was asked for, once for all who asked while it was fetched before; a page in the background waits. */
  async fetch() {
    if (!this.isAsked || this.isBusy || document.hidden) {
      return;
    }
    [this.isAsked, this.isBusy] = [false, true];
    const asked = new URLSearchParams(location.search); // the filter
    asked.set("lists", "");
    const answer = await fetch(`?${asked}`).catch(() => null);
    if (answer?.ok) {
      this.show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } else {
      this.isAsked = true;
    }
    setTimeout(() => ((this.isBusy = false), this.fetch()), PAUSE);
  }

  show(page) {
    const { version } = page.querySelector("[data-version]").dataset;
    steady(() => page.querySelectorAll("[data-list]").forEach((list) => update(list)));
    if (version !== status.dataset.version) {
      status.dataset.version = version;
      status.textContent = page.querySelector("[data-version]").textContent;
    }
  }
}

/* Changes the page above what the reader uses without moving it on the screen. */
function steady(change) {
  const used = document.activeElement.closest("form, li");
  const top = used?.getBoundingClientRect().top;
  change();
  if (used?.isConnected) {
    scrollBy({ top: used.getBoundingClientRect().top - top, behavior: "instant" });
  }
}

function update(fresh) {
  const list = document.querySelector(`[data-list="${fresh.dataset.list}"]`);
  const [rows, heading] = [list.querySelector("ul"), list.querySelector("h2")];
  const used = rows.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  replace(rows, [...fresh.querySelectorAll("li")]);
  heading.innerHTML = fresh.querySelector("h2").innerHTML;
  list.hidden = fresh.hidden;
  list.querySelectorAll(".empty").forEach((empty) => (empty.hidden = rows.children.length > 0));
  if (used && !rows.contains(document.activeElement)) {
    heading.tabIndex = -1;
    (rows.querySelector(`a[href="${CSS.escape(used)}"]`) ?? heading).focus();
  }
}

/* Removes and adds rows. Those that stay as they are stay in the page, and keep the focus; they only age. */
function replace(rows, wanted) {
  const kept = new Map([...rows.children].map((row) => [textOf(row), row]));
  const texts = new Set(wanted.map(textOf));
  kept.forEach((row, text) => texts.has(text) || row.remove());
  let next = rows.firstElementChild;
  for (const row of wanted) {
    const old = kept.get(textOf(row));
    if (old) {
      const ages = row.querySelectorAll("[data-ages]");
      old.querySelectorAll("[data-ages]").forEach((one, at) => (one.textContent = ages[at].textContent));
    }
    if (old && old === next) {
      next = old.nextElementSibling;
    } else {
      rows.insertBefore(old ?? added(row), next);
    }
  }
}

/* What a row says, except for how old it is. */
function textOf(row) {
  const copy = row.cloneNode(true);
  copy.querySelectorAll("[data-ages]").forEach((one) => one.replaceChildren());
  return copy.innerHTML;
}

function added(row) {
  row.classList.add("fresh");
  return document.adoptNode(row);
}

const lists = new Lists();
new Stream(status.dataset.lobby, { onEvent: ({ version }) => lists.follow(version) });
if (status.dataset.me) {
  const turns = document.querySelectorAll(".table-row.mine").length;
  let known = null;
  new Stream(status.dataset.me, {
    onEvent: ({ waiting, invited }) => {
      const now = JSON.stringify([waiting, invited]);
      if (known === null ? waiting.length !== turns : known !== now) {
        lists.ask();
      }
      known = now;
    },
  });
}
