/** Comments beside a replay: the form names the position that is shown, and a comment's link shows its own.
 *
 *  <form data-comment-form>          with the field `ply` and <span data-comment-ply>, which shows it
 *  <a data-ply="12" href="…">       in .comments: leads to the position after that action
 */

const shown = document.querySelector(".controls-at [data-at]");
const form = document.querySelector("[data-comment-form]");

if (shown && form) {
  const name = () => {
    form.elements.ply.value = shown.textContent;
    form.querySelector("[data-comment-ply]").textContent = shown.textContent;
  };
  new MutationObserver(name).observe(shown, { childList: true, characterData: true, subtree: true });
  name();
}

document.querySelector(".comments")?.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-ply]");
  const slider = document.querySelector("[data-slider]");
  if (!link || !slider || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
    return;
  }
  event.preventDefault();
  slider.value = link.dataset.ply;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  document.querySelector("[data-replay]").scrollIntoView({ block: "start" });
  slider.focus({ preventScroll: true });
});
