/** Corrects a rejected record in place: the editor marks the fault, actions are previewed on the board, and the
    outcome of a check takes the focus. Forms work without it; js/scene.js draws the pieces. */

import { fold, isTyping, motionOf, Table, waysOf } from "./scene.js";

const ready = new WeakSet();

/* Copies the text under the textarea, line by line: it sets their height and marks the fault until the text changes. */
function copyText(editor) {
  const text = editor.querySelector("textarea");
  const copy = editor.querySelector("[data-copy-of]");
  const { firstLine, line, column, length } = Object.fromEntries(
    Object.entries(editor.dataset).map(([name, value]) => [name, Number(value)]),
  );
  const changed = text.value !== text.defaultValue;
  copy.replaceChildren(
    ...text.value.split("\n").map((said, at) => {
      const row = document.createElement("div");
      row.dataset.number = firstLine + at;
      if (at + 1 === line && !changed) {
        row.className = "faulty";
        const mark = document.createElement("mark");
        mark.textContent = said.slice(column - 1, column - 1 + length) || "\u200b";
        row.append(said.slice(0, column - 1), mark, said.slice(column - 1 + length));
      } else {
        row.textContent = said || "\u200b";
      }
      return row;
    }),
  );
}

function edit(form) {
  const editor = form.querySelector("[data-editor]");
  const text = editor.querySelector("textarea");
  const check = form.querySelector("[data-check]");
  editor.classList.add("stacked");
  form.querySelector("[data-key]").hidden = false;
  copyText(editor);
  const faulty = editor.querySelector(".faulty");
  if (faulty) {
    editor.scrollTop = faulty.offsetTop - editor.clientHeight / 2;
  }
  text.addEventListener("input", () => {
    copyText(editor);
    check.classList.toggle("plain", text.value === text.defaultValue);
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(check);
    }
  });
}

/* Previews an action while its button has the pointer or the focus. */
function preview(panel, form) {
  const data = form.querySelector('script[type="application/json"]');
  const svg = panel.querySelector("svg.board");
  if (!data || !svg) {
    return;
  }
  const { base, after } = JSON.parse(data.textContent);
  const says = panel.querySelector("[data-preview-says]");
  const before = fold(null, base);
  const table = new Table(svg);
  table.adopt(before.pieces);
  const show = (frame, caption) => {
    const motion = motionOf(svg);
    table.show(frame.pieces, { motion, paths: waysOf(frame.traces, true) });
    table.drawTraces(frame.traces);
    says.textContent = caption;
  };
  for (const button of form.querySelectorAll("[data-preview]")) {
    const frame = after[button.dataset.preview];
    if (frame) {
      const on = () => show(fold(before, frame), `${button.dataset.preview}: ${frame.caption}`);
      const off = () => show(before, "");
      button.addEventListener("pointerenter", on);
      button.addEventListener("focus", on);
      button.addEventListener("pointerleave", off);
      button.addEventListener("blur", off);
    }
  }
}

export function prepareVerdicts() {
  for (const panel of document.querySelectorAll("[data-verdict]")) {
    const form = panel.querySelector("[data-fix]");
    if (form && !ready.has(panel)) {
      ready.add(panel);
      edit(form);
      preview(panel, form);
    }
  }
}

/* N leads to the next rejected record. */
document.addEventListener("keydown", (event) => {
  const next = document.querySelector(".just-corrected [data-next-rejected]") ?? document.querySelector("[data-next-rejected]");
  const modified = event.metaKey || event.ctrlKey || event.altKey;
  if (next && event.key === "n" && !modified && !event.defaultPrevented && !isTyping(event.target)) {
    next.click();
  }
});

prepareVerdicts();
document.addEventListener("htmx:afterSettle", (event) => {
  prepareVerdicts();
  const asked = event.detail.requestConfig?.elt;
  if (asked?.matches("[data-fix], .act a")) {
    const come = event.detail.elt;
    const panel = come.closest("[data-verdict]") ?? come.querySelector("[data-verdict]");
    panel?.querySelector(".verdict-title").focus();
  }
});
