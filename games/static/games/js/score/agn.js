/** Parses a record's text as far as possible, and makes the changes caused by clicks. It knows no game: the server
 * decides which actions are legal. */

const TAG = /^\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\.)*)"\][ \t]*$/;
const ITEM = /\{[^}]*(?:\}|$)|;[^\n]*|[()]|[^\s{};()]+/g;
const NUMBER = /^[0-9]+\.$/;
const RESULT = /^(?:\*|[0-9]+(?:-[0-9]+)+)$/;
/** The tags that come first in the canonical text; the seats' tags follow them. */
const FIRST = ["Game", "Rules", "Seats"];

function escaped(value) {
  return value.replace(/[\\"]/g, "\\$&");
}

function unescaped(value) {
  return value.replace(/\\(.)/g, "$1");
}

/** The tag lines: those before the first empty line. */
function tagsOf(text) {
  const tags = [];
  let at = 0;
  for (const line of text.split("\n")) {
    if (!line.trim() && tags.length) break;
    const found = TAG.exec(line.replace(/^\uFEFF/, ""));
    if (found) tags.push({ name: found[1], value: unescaped(found[2]), start: at, end: at + line.length });
    else if (line.trim()) return { tags, body: tags.length ? at : 0 };
    at += line.length + 1;
  }
  return { tags, body: Math.min(at, text.length) };
}

/** Tags and what follows them: numbers, actions, comments and the result, each with its place. */
function parse(text) {
  const { tags, body } = tagsOf(text);
  const items = [];
  let [ply, result] = [0, null];
  for (const found of text.slice(body).matchAll(ITEM)) {
    const item = { text: found[0], start: body + found.index, end: body + found.index + found[0].length, ply };
    if (/^[{;]/.test(item.text)) item.kind = "comment";
    else if (NUMBER.test(item.text)) item.kind = "number";
    else if (RESULT.test(item.text) && !result) [item.kind, result] = ["result", item];
    else [item.kind, item.ply] = ["action", ++ply];
    items.push(item);
  }
  return { text, tags, body, items, result, actions: items.filter(({ kind }) => kind === "action") };
}

function tag(text, name) {
  return tagsOf(text).tags.find((one) => one.name === name)?.value;
}

/** The text with a tag's value changed; a new one is put at the end of the tags, before the result. */
function setTag(text, name, value) {
  const { tags, body } = tagsOf(text);
  const line = `[${name} "${escaped(value)}"]`;
  const known = tags.find((one) => one.name === name);
  if (known) return text.slice(0, known.start) + line + text.slice(known.end);
  if (!tags.length) return `${line}\n\n${text.slice(body)}`;
  const result = tags.find((one) => one.name === "Result");
  const at = result ? result.start : tags.at(-1).end;
  return result ? `${text.slice(0, at)}${line}\n${text.slice(at)}` : `${text.slice(0, at)}\n${line}${text.slice(at)}`;
}

/** The text up to its last action or the comment on it; without any, up to the end of the tags. */
function upToResult({ text, tags, items, result }) {
  const before = items.filter((item) => !result || item.start < result.start);
  const end = before.at(-1)?.end ?? tags.at(-1)?.end ?? 0;
  return { upTo: text.slice(0, end), before };
}

/** The text with a result: as its tag, and as its last token on a line of its own. */
function setResult(text, value) {
  const parsed = parse(setTag(text, "Result", value));
  const { upTo, before } = upToResult(parsed);
  const rest = parsed.result ? parsed.text.slice(parsed.result.end).trim() : "";
  return `${upTo}${before.length ? "\n" : "\n\n"}${value}${rest ? ` ${rest}` : ""}\n`;
}

/** An unfinished record for editing: without its result, so that typing continues at its end. */
function open(text) {
  if (isJson(text)) return text;
  const parsed = parse(text);
  if (parsed.result && parsed.result !== parsed.items.at(-1)) return text;
  if (parsed.result && parsed.result.text !== "*") return text;
  const { upTo, before } = upToResult(parsed);
  return before.length ? upTo : `${upTo}\n\n`;
}

/** A record for saving and sending: a missing result becomes that of an unfinished game. */
function closed(text) {
  return parse(text).result ? text : setResult(text, "*");
}

/** The text with one more action: on a new line with the round's number if a new round begins. */
function append(text, action, number) {
  const { upTo, before } = upToResult(parse(text));
  const last = before.findLast(({ kind }) => kind === "number")?.text;
  const begins = number && last !== `${number}.`;
  // Whatever follows a comment to the end of the line begins a new line.
  const ends = before.at(-1)?.text.startsWith(";");
  const gap = !before.length ? "\n\n" : begins || ends ? "\n" : " ";
  return setTag(`${upTo}${gap}${begins ? `${number}. ` : ""}${action}`, "Result", "*");
}

/** The text up to a position: the first actions, with the comment on the last of them. */
function cut(text, ply) {
  const { tags, items, actions } = parse(text);
  if (actions.length <= ply) return open(text);
  const kept = items.slice(0, items.indexOf(actions[ply]));
  while (kept.at(-1)?.kind === "number") kept.pop();
  const upTo = kept.length ? text.slice(0, kept.at(-1).end) : `${text.slice(0, tags.at(-1)?.end ?? 0)}\n\n`;
  return setTag(upTo, "Result", "*");
}

/** The comment on a position. */
function comment(text, ply) {
  const found = parse(text).items.filter((item) => item.kind === "comment" && item.ply === ply);
  return found.map((item) => item.text.replace(/^[{;]|\}$/g, "").trim()).join(" ");
}

/** The text with that comment changed; `}` would end it and becomes `)`. */
function setComment(text, ply, words) {
  const parsed = parse(text);
  let changed = text;
  for (const item of parsed.items.filter((one) => one.kind === "comment" && one.ply === ply).reverse()) {
    const [before, rest] = [changed.slice(0, item.start), changed.slice(item.end).replace(/^[ \t]+/, "")];
    changed = before.endsWith("\n") ? before + rest.replace(/^\n/, "") : before.trimEnd() + (rest.startsWith("\n") ? "" : " ") + rest;
  }
  const said = words.replaceAll("}", ")").replace(/\s+/g, " ").trim();
  if (!said) return changed;
  const { actions, body } = parse(changed);
  if (ply > 0) {
    const { end } = actions[ply - 1];
    return `${changed.slice(0, end)} {${said}}${changed.slice(end)}`;
  }
  return `${changed.slice(0, body).trimEnd()}\n\n{${said}}\n${changed.slice(body).trimStart()}`;
}

/** The text with the token between two indices replaced. */
function replace(text, start, end, token) {
  return text.slice(0, start) + token + text.slice(end);
}

/** The text with one action replaced, given how many come before it. */
function replaceAction(text, before, token) {
  const { start, end } = parse(text).actions[before];
  return replace(text, start, end, token);
}

/** The beginning of a record: its tags in canonical order. */
function begin(tags, seats) {
  const first = [...FIRST, ...seats];
  const order = (name) => (first.includes(name) ? first.indexOf(name) : first.length + (name === "Result" ? 1 : 0));
  const given = Object.entries({ ...tags, Result: "*" }).filter(([, value]) => value);
  const lines = given.sort(([one], [other]) => order(one) - order(other));
  return `${lines.map(([name, value]) => `[${name} "${escaped(value)}"]`).join("\n")}\n\n`;
}

/** The games of a file: each begins with a tag after an empty line (AGN-FILE-3); in JSON each is one line. */
function games(text) {
  if (isJson(text)) {
    const lines = text.split("\n").filter((line) => line.trim());
    return lines.every((line) => line.trimStart().startsWith("{") && line.trimEnd().endsWith("}")) ? lines : [text];
  }
  const found = [];
  let empty = true;
  for (const line of text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n").split("\n")) {
    if (found.length === 0 ? line.trim() : empty && line.startsWith("[")) found.push([]);
    found.at(-1)?.push(line);
    empty = !line.trim();
  }
  return found.map((lines) => `${lines.join("\n").trimEnd()}\n`);
}

/** A name as it is looked up: composed, with single plain spaces and none at its ends, as `engine/agn/names.py` says. */
function nameKey(text) {
  return text.normalize("NFC").replace(/\p{White_Space}+/gu, " ").replace(/^ | $/g, "");
}

function isJson(text) {
  return /^\s*\{/.test(text);
}

/** The index of a line and column in a text, both from 1; columns count characters, not code units. */
function indexOf(text, line, column) {
  let at = 0;
  for (let passed = 1; passed < line; passed++) {
    const next = text.indexOf("\n", at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  const end = text.indexOf("\n", at);
  const here = Array.from(text.slice(at, end < 0 ? text.length : end));
  return at + here.slice(0, column - 1).join("").length;
}

export { append, begin, closed, comment, cut, games, indexOf, isJson, nameKey, open, parse, replace, replaceAction, setComment, setResult, setTag, tag };
