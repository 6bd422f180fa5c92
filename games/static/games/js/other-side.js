/* Shows a board from the other side: turned by half, while what is written on it stays upright. The choice is kept in this
   browser, for what the button names: a game, or a game and a seat.

   <button data-other-side="NAME" aria-pressed="false" hidden>   in [data-replay] or [data-play]; also the key O, where keys
                                                                 type nothing */

const KEPT = "atta:other-side:";

for (const button of document.querySelectorAll("[data-other-side]")) {
  const root = button.closest("[data-replay], [data-play]");
  const name = KEPT + button.dataset.otherSide;
  const show = (isOther) => {
    root.classList.toggle("other-side", isOther);
    button.setAttribute("aria-pressed", String(isOther));
  };
  button.addEventListener("click", () => {
    const isOther = !root.classList.contains("other-side");
    isOther ? localStorage.setItem(name, "yes") : localStorage.removeItem(name);
    show(isOther);
  });
  button.hidden = false;
  show(localStorage.getItem(name) === "yes");
}
