/** Follow and unfollow on a player's page without leaving it: the form is replaced by the one in the answer. */

const SAYS = ".messages";

async function sent(form, button) {
  const body = new FormData(form, button);
  const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
  if (!answer.ok) {
    throw new Error(`${answer.status} for ${form.action}`);
  }
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/* What could not be done is said at the head of the page, as on the page that the answer is. */
function say(page) {
  document.querySelector(SAYS)?.remove();
  const said = page.querySelector(SAYS);
  if (said) {
    document.querySelector("main").prepend(said);
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-follow]");
  if (!form) {
    return;
  }
  event.preventDefault();
  if (form.ariaBusy === "true") {
    return;
  }
  form.ariaBusy = "true";
  try {
    const page = await sent(form, event.submitter);
    const changed = page.querySelector("[data-follow]");
    say(page);
    form.replaceWith(changed);
    changed.querySelector("button").focus();
  } catch {
    location.reload(); // signed out meanwhile, or no network: the page says which
  }
});
