/** Switches between light and dark without reloading; the server learns of it from the cookie. */

const YEAR = 365 * 24 * 3600;

for (const form of document.querySelectorAll("[data-theme-switch]")) {
  form.addEventListener("submit", (event) => {
    const chosen = event.submitter?.value;
    if (!chosen) return;
    event.preventDefault();
    document.documentElement.dataset.theme = chosen;
    document.cookie = `theme=${chosen}; path=/; max-age=${YEAR}; samesite=lax`;
    form.querySelector(`button:not([value="${chosen}"])`)?.focus();
  });
}
