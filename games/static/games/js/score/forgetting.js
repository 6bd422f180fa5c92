/** Forgets who uploads the games that are scored offline on this device, when that account signs out or is deleted. */

for (const form of document.querySelectorAll("[data-signs-out]")) {
  form.addEventListener("submit", () => localStorage.removeItem("atta:account"));
}
