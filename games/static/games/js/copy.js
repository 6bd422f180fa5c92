/** Buttons that copy a text: `<button data-copy="…" data-done="Copied" hidden>`, including those added later. */

const PAUSE = 2000;

function ready(root) {
  for (const button of root.querySelectorAll("[data-copy][hidden]")) {
    const said = [...button.childNodes].map((node) => node.cloneNode(true));
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = button.dataset.done;
      setTimeout(() => button.replaceChildren(...said.map((node) => node.cloneNode(true))), PAUSE);
    });
  }
}

ready(document);
for (const kind of ["htmx:oobAfterSwap", "htmx:afterSettle"]) {
  document.addEventListener(kind, () => ready(document));
}
