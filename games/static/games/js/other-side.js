/* Shows a board from the other side: turned by half, while what is written on it stays upright. The choice is kept in this
   browser, for what the button names: a game, or a game and a seat.

   <button data-other-side="NAME" aria-pressed="false" hidden>   in [data-replay] or [data-play]; also the key O, where keys
                                                                 type nothing
   [data-at-head="yes"]   in the same root: the reader's own side is at the head, so the board is turned unless the
                          reader has turned it back. When that changes, as with a seat, "atta:seated" says so. */

const KEPT = "atta:other-side:";

for (const button of document.querySelectorAll("[data-other-side]")) {
  const root = button.closest("[data-replay], [data-play]");
  const name = KEPT + button.dataset.otherSide;
  const show = () => {
    const isOther = (localStorage.getItem(name) ?? root.querySelector("[data-at-head]")?.dataset.atHead) === "yes";
    root.classList.toggle("other-side", isOther);
    button.setAttribute("aria-pressed", String(isOther));
  };
  button.addEventListener("click", () => {
    localStorage.setItem(name, root.classList.contains("other-side") ? "no" : "yes");
    show();
  });
  root.addEventListener("atta:seated", show);
  button.hidden = false;
  show();
}
