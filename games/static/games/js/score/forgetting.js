/** Forgets what this device knows of an account when it signs out or is deleted: who uploads the games that are scored
 * offline, and the games that were looked at. Pages in other tabs, opened before, keep none of theirs from then on. */

const GAMES = "atta-games-1";

for (const form of document.querySelectorAll("[data-signs-out]")) {
  form.addEventListener("submit", () => {
    localStorage.removeItem("atta:account");
    localStorage.setItem("atta:signed-out", Date.now());
    globalThis.caches?.delete(GAMES);
  });
}
