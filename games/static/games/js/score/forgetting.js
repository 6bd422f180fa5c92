/** Forgets what this device knows of an account when it signs out or is deleted: who uploads the games that are scored
 * offline, and the games that were looked at. */

const GAMES = "atta-games-1";

for (const form of document.querySelectorAll("[data-signs-out]")) {
  form.addEventListener("submit", () => {
    localStorage.removeItem("atta:account");
    globalThis.caches?.delete(GAMES);
  });
}
