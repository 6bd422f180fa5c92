/** Shows passkey controls where the browser supports them, and explains beside the button why one failed. */

const able = "PublicKeyCredential" in window;

for (const part of document.querySelectorAll("[data-passkey]")) {
  part.dataset.passkey = able ? "yes" : "no";
  part.hidden = !able;
}
for (const part of document.querySelectorAll("[data-without-passkey]")) part.hidden = able;

const REASONS = { NotAllowedError: "cancelled", AbortError: "cancelled", InvalidStateError: "known", SecurityError: "host" };

document.addEventListener("allauth.error", (event) => {
  const place = document.querySelector("[data-passkey-error]");
  if (!place) return;
  event.preventDefault();
  const { exception } = event.detail;
  const reason = REASONS[exception?.name];
  place.textContent = reason ? place.dataset[reason] : `${place.dataset.else} ${exception?.message ?? exception}`;
  place.hidden = false;
});
