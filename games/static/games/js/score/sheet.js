/** A score sheet: lines of text, each with its undo history. One line is being written; the others are
 * branches kept for later. It is plain data, so that the device can store it as it is. */

const TYPED_TOGETHER = 1000;

function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => (byte % 36).toString(36)).join("") + Date.now().toString(36);
}

/** The edit that turns one text into another: the middle part that differs. */
function difference(before, after) {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before[at] === after[at]) at++;
  let end = 0;
  while (end < most - at && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { at, out: before.slice(at, before.length - end), in: after.slice(at, after.length - end) };
}

function turned({ at, out, in: put }) {
  return { at, out: put, in: out };
}

function applied(text, { at, out, in: put }) {
  return text.slice(0, at) + put + text.slice(at + out.length);
}

export class Sheet {
  constructor(data) {
    this.data = data;
  }

  /** A new sheet: with the draft of a set-up, or with a text. */
  static begin({ draft = null, text = "" }) {
    const line = newLine(text, null, 0);
    const now = Date.now();
    return new Sheet({ id: newId(), version: 0, made: now, changed: now, draft, lines: [line], current: line.id, uploaded: null });
  }

  /** A separate sheet with a copy of another's contents. */
  static copyOf({ data }) {
    return new Sheet({ ...data, id: newId(), version: 0 });
  }

  get id() {
    return this.data.id;
  }

  get line() {
    return this.data.lines.find(({ id }) => id === this.data.current) ?? this.data.lines[0];
  }

  get text() {
    return this.line.text;
  }

  get canUndo() {
    return this.line.undo.length > 0 || this.hasParent;
  }

  get canRedo() {
    return this.line.redo.length > 0;
  }

  get hasParent() {
    const { from } = this.line;
    return from !== null && this.data.lines.some(({ id }) => id === from.line);
  }

  /** Changes the text of the line; text typed in one go is undone in one go. */
  change(text, { typing = false, follows = false } = {}) {
    const { line } = this;
    if (text === line.text) return false;
    const edit = { ...difference(line.text, text), typing, when: Date.now() };
    const last = line.undo.at(-1);
    if (last && (follows || (typing && grows(last, edit)))) {
      const before = applied(line.text, turned(last));
      line.undo[line.undo.length - 1] = { ...edit, ...difference(before, text) };
    } else line.undo.push(edit);
    line.redo = [];
    line.text = text;
    this.touch();
    return true;
  }

  /** One step back: in this line, or at its beginning to the line it branched from. Returns where the text changed. */
  undo() {
    const { line } = this;
    const edit = line.undo.pop();
    if (edit) {
      line.redo.push(edit);
      line.text = applied(line.text, turned(edit));
      this.touch();
      return edit.at + edit.out.length;
    }
    if (!this.hasParent) return null;
    const { from } = line;
    this.data.current = from.line;
    this.line.ply = from.ply;
    this.touch();
    return 0;
  }

  redo() {
    const edit = this.line.redo.pop();
    if (!edit) return null;
    this.line.undo.push(edit);
    this.line.text = applied(this.line.text, edit);
    this.touch();
    return edit.at + edit.in.length;
  }

  /** Continues from a position in a new line; the line being written is kept. */
  branch(ply, text) {
    const number = Math.max(0, ...this.data.lines.map((line) => line.number)) + 1;
    const line = newLine(text, { line: this.line.id, ply }, number);
    this.data.lines.push(line);
    this.data.current = line.id;
    this.touch();
  }

  /** What another tab has saved, with the line written here as a branch. */
  branchOf(stored) {
    const sheet = new Sheet(stored);
    const kept = sheet.keep(this.text, "tab");
    Object.assign(kept, { undo: this.line.undo, redo: this.line.redo });
    sheet.goTo(kept.id);
    return sheet;
  }

  /** Adds a line without switching to it. */
  keep(text, kind) {
    const number = Math.max(0, ...this.data.lines.map((line) => line.number)) + 1;
    const line = { ...newLine(text, null, number), kind };
    this.data.lines.push(line);
    return line;
  }

  goTo(id) {
    this.data.current = id;
    this.line.ply = null;
    this.touch();
  }

  drop(id) {
    if (this.data.lines.length < 2) return;
    this.data.lines = this.data.lines.filter((line) => line.id !== id);
    if (this.data.current === id) this.data.current = this.data.lines[0].id;
    this.touch();
  }

  touch() {
    this.data.changed = Date.now();
    this.data.uploaded = null;
  }
}

function newLine(text, from, number) {
  return { id: newId(), number, kind: "", from, text, ply: null, undo: [], redo: [] };
}

/** Whether typing continues the last edit: directly after it, a moment later and within a word. */
function grows(last, edit) {
  const soon = last.typing && edit.when - last.when < TYPED_TOGETHER;
  const onwards = edit.at === last.at + last.in.length && !edit.out && !/\s/.test(edit.in);
  const back = edit.at + edit.out.length === last.at + last.in.length && !edit.in && edit.at >= last.at;
  return soon && (onwards || back);
}
