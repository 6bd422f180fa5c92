/** Buttons that copy a text: `<button data-copy="…" data-done="Copied" hidden>`. */

const PAUSE = 2000;

for (const button of document.querySelectorAll("[data-copy]")) {
  const said = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
    setTimeout(() => (button.textContent = said), PAUSE);
  });
}
