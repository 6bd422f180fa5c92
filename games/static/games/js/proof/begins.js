/** Offers to verify here what the page shows; all that it takes is loaded when it is wanted. [data-proof] names the style
 * sheet, data-of what is verified. */

const PROOFS = { game: () => import("./game.js"), leaderboard: () => import("./leaderboard.js") };

for (const box of document.querySelectorAll("[data-proof]")) {
  const button = box.querySelector("[data-proof-begin]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: box.dataset.proof }));
    try {
      const { prove } = await PROOFS[box.dataset.of]();
      await prove(box);
    } catch (error) {
      box.querySelector("[data-proof-says]").textContent = error.message;
    }
    button.disabled = false;
  });
}
