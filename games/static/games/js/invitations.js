/** Shows on the button how many games will be confirmed and how many reported: `<form data-answer data-some="…">`. */

for (const form of document.querySelectorAll("[data-answer]")) {
  const button = form.querySelector("[data-go]");
  const games = form.querySelectorAll("fieldset");
  if (!button) continue;
  const all = button.textContent;
  form.addEventListener("change", () => {
    const reported = form.querySelectorAll("fieldset input[type=radio]:checked:not([value=''])").length;
    const confirmed = games.length - reported;
    const some = confirmed ? form.dataset.some : form.dataset.none;
    button.textContent = reported ? some.replace("{confirmed}", confirmed).replace("{reported}", reported) : all;
  });
}
