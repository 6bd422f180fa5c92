/* The index of the reference: finds operations and types as one types, and leads old addresses (`#get_game`) to their pages. */

const search = document.querySelector(".reference-search input");
const groups = [...document.querySelectorAll("[data-group]")];
const whole = document.querySelector("[data-groups]");
const nothing = document.querySelector("[data-nothing]");

function follow() {
  const entry = document.getElementById(location.hash.slice(1)); // ids are plain letters
  if (entry && "entry" in entry.dataset) {
    location.replace(entry.querySelector("a").href);
  }
}

function find() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const group of groups) {
    const about = `${group.id} ${group.querySelector("h2").textContent}`;
    const entries = [...group.querySelectorAll("[data-entry]")];
    entries.forEach((entry) => (entry.hidden = !has(`${about} ${entry.id} ${entry.textContent}`, words)));
    group.hidden = entries.every((entry) => entry.hidden);
  }
  whole.toggleAttribute("data-wanted", words.length > 0);
  nothing.hidden = groups.some((group) => !group.hidden);
}

function has(text, words) {
  const low = text.toLowerCase();
  return words.every((word) => low.includes(word));
}

search.addEventListener("input", find);
addEventListener("hashchange", follow);
follow();
find(); // a browser that goes back fills the field
