/** Switches between light and dark without reloading; the server learns of it from the cookie. */

const YEAR = 365 * 24 * 3600;
// As games/cookies.py names it: with this prefix no other host of the domain can set it.
const [PREFIX, SECURE] = location.protocol === "https:" ? ["__Host-", "; secure"] : ["", ""];

for (const form of document.querySelectorAll("[data-theme-switch]")) {
  form.addEventListener("submit", (event) => {
    const chosen = event.submitter?.value;
    if (!chosen) return;
    event.preventDefault();
    document.documentElement.dataset.theme = chosen;
    document.cookie = `${PREFIX}theme=${chosen}; path=/; max-age=${YEAR}; samesite=lax${SECURE}`;
    form.querySelector(`button:not([value="${chosen}"])`)?.focus();
  });
}
