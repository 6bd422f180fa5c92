/** Checks a file with the engine on this device: progress, counts, every rejected game to be corrected in place, a
 * report, and the way to the upload. Nothing is sent. */

import { Panel } from "./check/panel.js";
import { Engine, OtherVersion } from "./engine/engine.js";

const root = document.querySelector("[data-checker]");
const part = (name) => root.querySelector(`[data-${name}]`);
const json = (id) => JSON.parse(document.getElementById(id).textContent);
const texts = json("check-texts");
const rules = json("check-rules");
const engine = new Engine(root);

const SHOWN = 100;
const KINDS = ["verified", "unfinished", "rejected", "corrected"];

/** What is known of the file that is checked. */
class Check {
  constructor(file) {
    this.file = file;
    this.counts = { verified: 0, unfinished: 0, rejected: 0, corrected: 0 };
    this.report = [];
    this.corrections = {};
    this.shown = 0;
  }

  get games() {
    return this.counts.verified + this.counts.unfinished + this.counts.rejected;
  }

  add({ counts, report, rejected }) {
    for (const [kind, number] of Object.entries(counts)) this.counts[kind] += number;
    this.report.push(report);
    const few = rejected.slice(0, SHOWN - this.shown);
    this.shown += few.length;
    return few;
  }
}

let current = null;

async function begin(file) {
  const check = (current = new Check(file));
  open(file.name);
  try {
    await engine.load(showLoading);
    if (check !== current) return;
    say(texts.reading);
    await engine.call("check", file);
    await goOn(check);
  } catch (error) {
    if (check === current) fail(error);
  }
}

function showLoading(step, share) {
  if (part("says").textContent !== texts[step]) say(texts[step]);
  if (share) part("bar").value = share;
  else part("bar").removeAttribute("value");
}

/** Checks piece by piece; the worker answers between pieces, so that another file can be taken. */
async function goOn(check) {
  for (let over = false; !over && check === current; ) {
    const found = await engine.call("more");
    if (check !== current) return;
    over = found.over;
    part("rejected").append(...check.add(found).map((row) => drawRejected(check, row)));
    part("bar").value = found.of ? found.read / found.of : 1;
    count(check);
  }
  if (check === current) finish(check);
}

function open(name) {
  part("results").hidden = false;
  part("name").textContent = name;
  part("rejected").replaceChildren();
  part("counts").textContent = "";
  part("progress").hidden = false;
  part("bar").removeAttribute("value");
  for (const one of ["problem", "acts", "upload-these", "more", "save"]) part(one).hidden = true;
  part("name").focus();
}

function finish(check) {
  part("progress").hidden = true;
  if (!check.games) {
    say("");
    problem(texts.nothing);
    return;
  }
  part("acts").hidden = part("upload-these").hidden = false;
  const left = check.counts.rejected - check.shown;
  part("more").hidden = left <= 0;
  part("more").textContent = several(texts.more, left);
}

function count({ counts, games }) {
  say(several(texts.checked, games));
  part("counts").replaceChildren(
    ...KINDS.filter((kind) => counts[kind]).map((kind) => {
      const made = document.createElement("span");
      made.className = `stamp ${kind === "corrected" ? "verified" : kind}`;
      made.textContent = texts[kind].replace("{n}", counts[kind].toLocaleString(document.documentElement.lang));
      return made;
    }),
  );
}

const say = (text) => (part("says").textContent = text);
const several = ([one, many], n) => (n === 1 ? one : many).replace("{n}", n.toLocaleString(document.documentElement.lang));

function problem(text) {
  part("problem").textContent = text;
  part("problem").hidden = false;
}

function fail(error) {
  say("");
  part("progress").hidden = true;
  if (error instanceof OtherVersion) problem(texts.version);
  else if (error.type === "TooLargeError") problem(texts.too_large);
  else if (error.type === "ValueError") problem(texts.damaged);
  else if (engine.loaded) problem(texts.broken.replace("{why}", error.message));
  else problem(texts.failed.replace("{why}", error.message));
}

// A rejected game

function drawRejected(check, { game, line, column, rule, message }) {
  const row = document.createElement("li");
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  const place = document.createElement("b");
  place.textContent = texts.place.replace("{game}", game).replace("{line}", line).replace("{column}", column);
  const code = document.createElement("code");
  code.textContent = rule;
  summary.append(place, " ", message, " ", code);
  details.append(summary);
  details.addEventListener("toggle", () => details.open && openPanel(check, details, game), { once: true });
  row.append(details);
  return row;
}

async function openPanel(check, details, game) {
  const panel = new Panel(part("panel"), {
    texts,
    rules,
    several,
    ask: (text, use) => engine.call("record", text, use),
    onLegal: ({ text }) => corrected(check, details, game, text),
  });
  details.append(panel.root);
  panel.show(await engine.call("record", await engine.call("textOf", game), ""));
}

function corrected(check, details, game, text) {
  check.corrections[game] = text;
  check.counts.rejected -= 1;
  check.counts.corrected += 1;
  const done = document.createElement("p");
  done.className = "check-corrected stamp verified";
  done.textContent = `${details.querySelector("b").textContent}: ${texts.legal}`;
  done.tabIndex = -1;
  details.replaceWith(done);
  done.focus();
  part("save").hidden = false;
  count(check);
}

// What becomes of it

/** The file as it is now, with its corrections. */
async function corrections() {
  const { file, corrections: texts } = current;
  if (!Object.keys(texts).length) return file;
  return new File([await engine.call("corrected", texts)], file.name.replace(/\.(gz|zip)$/, ""), { type: "text/plain" });
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

part("report").addEventListener("click", () => save(new Blob(current.report, { type: "application/x-ndjson" }), `${current.file.name}.verdicts.ndjson`));
part("save").addEventListener("click", async () => {
  const file = await corrections();
  save(file, file.name);
});

part("upload-these").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const moved = new DataTransfer();
  moved.items.add(await corrections());
  part("upload-file").files = moved.files;
  form.submit();
});

// What is checked

part("file").addEventListener("change", ({ target }) => target.files[0] && begin(target.files[0]));
part("take").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = part("text").value;
  if (text.trim()) begin(new File([text], texts.pasted));
});
const drop = part("drop");
for (const [type, over] of [["dragover", true], ["dragleave", false], ["drop", false]])
  drop.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", over);
    if (type === "drop" && event.dataTransfer.files[0]) begin(event.dataTransfer.files[0]);
  });

root.hidden = false;
