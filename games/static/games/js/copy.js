/** Buttons that copy a text: `<button data-copy="…" data-done="Copied" hidden>`, including those added later; with
    `data-copy-from` what is at that address. */

const PAUSE = 2000;

async function fetched(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json, text/plain" } });
  if (!answer.ok) {
    throw new Error(`${answer.status} for ${address}`);
  }
  return answer.text();
}

function ready(root) {
  for (const button of root.querySelectorAll("[data-copy][hidden], [data-copy-from][hidden]")) {
    const said = [...button.childNodes].map((node) => node.cloneNode(true));
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy ?? (await fetched(button.dataset.copyFrom)));
      button.textContent = button.dataset.done;
      setTimeout(() => button.replaceChildren(...said.map((node) => node.cloneNode(true))), PAUSE);
    });
  }
}

ready(document);
for (const kind of ["htmx:oobAfterSwap", "htmx:afterSettle"]) {
  document.addEventListener(kind, () => ready(document));
}
