/**
 * The progress of a large upload, as the server reports it every second. The page polls for news of its records by
 * itself; while the stream is open it does so only when there is news, and without a stream it polls as usual.
 */

const shown = document.getElementById("progress");
const EVERY = 4_000;
const STALE = 5_000;

let heard = 0;
let looked = Date.now();
let done = -1;
let asked = false;

const look = () => document.getElementById("look");
const live = () => Date.now() - heard < STALE;

function show({ message, expected, records }) {
  const words = shown.querySelector("[data-message]");
  const bar = shown.querySelector("progress");
  if (words) words.textContent = message;
  if (bar) Object.assign(bar, { max: Math.max(1, expected), value: records.done });
}

function ask() {
  asked = true;
  looked = Date.now();
  window.htmx?.trigger(look(), "news");
}

function hear(event) {
  const progress = JSON.parse(event.data);
  const rows = progress.records.done !== done && document.querySelector("#results .stamp.waiting, #results .stamp.running");
  const bare = progress.expected > 0 && !shown.querySelector("progress");
  heard = Date.now();
  done = progress.records.done;
  // At the end the page itself says so, together with the last counts and without what can no longer be done.
  if (event.type !== "done") show(progress);
  if (rows || bare || event.type === "done" || heard - looked > EVERY) ask();
}

// Skips the page's timed requests while the stream reports nothing new.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target !== look()) return;
  if (live() && !asked) event.preventDefault();
  asked = false;
});

const stream = new EventSource(shown.dataset.watch);
stream.addEventListener("progress", hear);
stream.addEventListener("done", (event) => {
  stream.close();
  hear(event);
  heard = 0;
});
addEventListener("pagehide", () => stream.close());
