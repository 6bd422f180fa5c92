/* Turns notifications on for this browser, and shows which of the account's browsers have them on.

   [data-push]              data-key: the site's public key; data-worker: the service worker's address
     [data-push-on]           the button, in a form with the fields endpoint, point and auth; hidden until usable
     [data-push-says=WHAT]    one of `unable`, `denied`, `here`: shown when it applies
     [data-endpoint=DIGEST]   one of the browsers; [data-push-here] in it is shown for this one */

const root = document.querySelector("[data-push]");
const form = root?.querySelector("[data-push-on]")?.closest("form");

function says(what) {
  root.querySelectorAll("[data-push-says]").forEach((part) => (part.hidden = part.dataset.pushSays !== what));
}


async function digestOf(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((one) => one.toString(16).padStart(2, "0")).join("");
}

/* Marks this browser in the list of notified ones. */
async function look() {
  const registration = await navigator.serviceWorker.getRegistration(root.dataset.worker);
  const subscription = await registration?.pushManager.getSubscription();
  const digest = subscription && (await digestOf(subscription.endpoint));
  const here = digest && root.querySelector(`[data-endpoint="${digest}"]`);
  here?.querySelector("[data-push-here]").removeAttribute("hidden");
  here?.querySelector("form").addEventListener("submit", () => subscription.unsubscribe());
  form.hidden = Boolean(here) || Notification.permission === "denied";
  says(here ? "here" : Notification.permission === "denied" ? "denied" : "");
}

/* Subscribes anew, as a subscription made with an earlier key of the site is useless. */
async function subscribe() {
  const registration = await navigator.serviceWorker.register(root.dataset.worker);
  await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: root.dataset.key });
}

async function turnOn(event) {
  event.preventDefault();
  const button = root.querySelector("[data-push-on]");
  button.disabled = true;
  try {
    const { endpoint, keys } = (await subscribe()).toJSON();
    form.elements.endpoint.value = endpoint;
    form.elements.point.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
    form.submit();
  } catch {
    button.disabled = false;
    says(Notification.permission === "denied" ? "denied" : "unable");
  }
}

if (form) {
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
    form.addEventListener("submit", turnOn);
    look().catch(() => says("unable"));
  } else {
    says("unable");
  }
}
