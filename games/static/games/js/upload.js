/** The upload form: files dropped anywhere on the page, and the chosen options. The form also works without it. */

import { bundle, dropped, withGames } from "./bundle.js";
import { Gone, markOf, Refused, Sending } from "./sending.js";

const form = document.querySelector("[data-upload]");
const zone = form.querySelector("[data-drop]");
const input = form.querySelector("input[type=file]");
const said = form.querySelector("[data-chosen]");
const panel = document.querySelector("[data-sending]");
const most = Number(form.dataset.most);
const small = Number(form.dataset.small);
const language = document.documentElement.lang;

const GAMES = ["csrfmiddlewaretoken", "file", "text"];
const MAGIC = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x50, 0x4b],
];

let inPieces = false;
/** Several files as one; none if just one is chosen, or they are sent by the form itself. */
let bundled = null;
/** The files of a folder, by their paths; none if files are chosen one by one. */
let foldered = null;
/** The newest look at the chosen file, until it is over. */
let looking = null;

function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const format = { style: "unit", unit: units[step], unitDisplay: "short", maximumFractionDigits: 1 };
  return new Intl.NumberFormat(language, format).format(bytes / 1024 ** step);
}

function duration(seconds) {
  const unit = seconds < 90 ? "second" : seconds < 5400 ? "minute" : "hour";
  const value = Math.max(1, Math.round(seconds / { second: 1, minute: 60, hour: 3600 }[unit]));
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

function filled(template, words) {
  return template.replace(/\{(\w+)\}/g, (_, name) => words[name]);
}

/** The chosen options of the form: all fields except the games themselves. The API uses the same names. */
function options() {
  const fields = [...new FormData(form)].filter(([name, value]) => !GAMES.includes(name) && value !== "");
  return Object.fromEntries(fields);
}

/** A file begun with other options is a different upload. */
function begun(file) {
  const mark = markOf(file, options());
  return [...document.querySelectorAll("[data-unfinished]")].find((one) => one.dataset.mark === mark);
}

async function isPacked(file) {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return MAGIC.some((magic) => magic.every((byte, at) => head[at] === byte));
}

/** Looks at the chosen file; what an earlier look finds out later is of no interest any more. */
async function show() {
  const mine = (looking = look());
  await mine;
  if (mine === looking) looking = null;
}

/** The chosen files as one: an account's are sent as an archive, others by the form. */
async function chosen() {
  const files = foldered ?? [...input.files].map((file) => ({ path: file.name, file }));
  const all = files.reduce((sum, { file }) => sum + file.size, 0);
  if (files.length < 2 && !foldered) return { file: files[0]?.file, name: files[0]?.file.name, size: all };
  const name = filled(said.dataset.several, { n: files.length });
  if (!form.dataset.files || all > most) {
    const packed = await Promise.all(files.map(({ file }) => isPacked(file)));
    return { file: files[0].file, name, size: all, packed: packed.some(Boolean) };
  }
  return { file: await bundle(files), name, size: all, isBundle: true };
}

async function look() {
  const before = input.files;
  const { file, name, size: bytes, isBundle, packed: somePacked } = await chosen();
  const large = file && bytes > most;
  const packed = somePacked || (file && !large && (await isPacked(file).catch(() => false)));
  if (before !== input.files) return;
  bundled = isBundle ? file : null;
  inPieces = Boolean(file && form.dataset.files && (packed || file.size > small));
  const known = file && inPieces && begun(file);
  const notes = [
    large && said.dataset.tooLarge,
    packed && !form.dataset.files && said.dataset.signedOut,
    known && filled(said.dataset.here, known.dataset),
  ].filter(Boolean);
  said.textContent = file ? [`${name}, ${size(bytes)}`, ...notes].join(". ") : "";
  zone.classList.toggle("full", Boolean(file));
  zone.classList.toggle("refused", Boolean(large || (packed && !form.dataset.files)));
}

function holdsFiles(event) {
  return event.dataTransfer?.types.includes("Files");
}

// Sending in pieces

function part(name) {
  return panel.querySelector(`[data-sending-${name}]`);
}

/** Shows the progress; announces to screen readers only what the bar does not show. */
function teller(file) {
  const started = { at: performance.now(), sent: null };
  let loud = "";
  return ({ sent, paused, broken }) => {
    started.sent ??= sent;
    const rate = (sent - started.sent) / ((performance.now() - started.at) / 1000);
    const left = rate > 0 && sent - started.sent > 2 ** 20 ? duration((file.size - sent) / rate) : "";
    const kind = paused ? "paused" : broken ? "broken" : sent === file.size ? "whole" : left ? "left" : "says";
    const words = filled(panel.dataset[kind], { sent: size(sent), all: size(file.size), left });
    part("bar").value = sent / file.size;
    part("words").textContent = words;
    panel.classList.toggle("stuck", broken || paused);
    part("pause").hidden = paused;
    part("continue").hidden = !paused;
    const aloud = ["paused", "broken", "whole"].includes(kind) ? kind : "";
    if (aloud !== loud) part("status").textContent = aloud ? words : "";
    loud = aloud;
  };
}

function turn(sending) {
  form.hidden = sending;
  panel.hidden = !sending;
}

/** Replaces one button with another and keeps the focus there. */
function offer(one, other) {
  part(one).hidden = false;
  part(other).hidden = true;
  part(one).focus();
}

async function send(file) {
  const sending = new Sending(file, form.querySelector("[name=csrfmiddlewaretoken]").value, teller(file));
  part("name").textContent = file.name;
  part("pause").onclick = () => {
    sending.pause();
    offer("continue", "pause");
  };
  part("continue").onclick = () => {
    sending.goOn();
    offer("pause", "continue");
  };
  part("cancel").onclick = () => sending.cancel().then(() => location.reload());
  turn(true);
  panel.focus();
  try {
    const known = begun(file);
    const metadata = { filename: file.name, fingerprint: markOf(file, options()), ...options() };
    const page = known ? known.dataset.page : await sending.begin(form.dataset.files, metadata);
    if (await sending.run(known?.dataset.address)) location.assign(page);
  } catch (error) {
    turn(false);
    zone.classList.add("refused");
    said.textContent = error instanceof Gone ? panel.dataset.gone : error instanceof Refused ? error.message : String(error);
    form.querySelector(".button.large").focus();
  }
}

form.querySelector("[data-hint]").hidden = false;
form.querySelector("[data-choose]").hidden = false;
input.classList.add("unseen");
/** Chooses the files of a folder; without an account the form sends them. */
function choose(files) {
  const games = withGames(files);
  foldered = games.length ? games : null;
  const transfer = new DataTransfer();
  for (const { file } of games) transfer.items.add(file);
  input.files = transfer.files;
  if (!games.length) said.textContent = said.dataset.none;
  return games.length ? show() : null;
}

const folder = form.querySelector("[data-folder]");
folder.hidden = !("webkitdirectory" in input);
folder.addEventListener("click", () => {
  const picker = document.createElement("input");
  Object.assign(picker, { type: "file", webkitdirectory: true });
  picker.addEventListener("change", () => choose([...picker.files].map((file) => ({ path: file.webkitRelativePath, file }))));
  picker.click();
});

form.addEventListener("change", (event) => {
  if (event.target === input) foldered = null;
  show();
});

form.addEventListener("submit", async (event) => {
  const file = bundled ?? input.files[0];
  if (looking) {
    event.preventDefault();
    await looking;
    form.requestSubmit(event.submitter);
    return;
  }
  if (!inPieces || file.size > most || new FormData(form).get("text")?.trim()) return;
  event.preventDefault();
  send(file);
});

document.addEventListener("dragover", (event) => {
  if (holdsFiles(event)) {
    event.preventDefault();
    zone.classList.add("over");
  }
});

document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) zone.classList.remove("over");
});

document.addEventListener("drop", async (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  zone.classList.remove("over");
  const { files, items } = event.dataTransfer;
  const isFolder = [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory);
  foldered = null;
  if (isFolder) {
    await choose(await dropped(items));
  } else {
    input.files = files;
    await show();
  }
  form.querySelector(".button.large").focus();
});

show();
