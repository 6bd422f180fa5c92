/* The lobby: what does not apply in the form is hidden, and the icon says whether it is somebody's turn. */

const form = document.querySelector("[data-new-table]");

function apply() {
  const against = form.elements.against.value;
  const places = form.elements.ruleset.selectedOptions[0].dataset.places.trim().split(" ");
  for (const option of form.elements.places.options) {
    option.hidden = option.disabled = !places.includes(option.value);
  }
  if (!places.includes(form.elements.places.value)) {
    form.elements.places.value = places[0];
  }
  form.querySelector("[data-for-places]").hidden = places.length === 1;
  form.querySelectorAll("[data-for-people]").forEach((part) => (part.hidden = against !== "people"));
  form.querySelector("[data-for-names]").hidden = against !== "people" || form.elements.visibility.value !== "names";
}

if (form) {
  form.addEventListener("change", apply);
  apply();
}
const waiting = document.querySelector("[data-turns-count]");
if (waiting) {
  mark(Number(waiting.dataset.turnsCount));
}

/* A dot on the icon. */
function mark(count) {
  const icon = document.querySelector("link[rel=icon]");
  if (icon && count) {
    const image = new Image();
    image.onload = () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0, 64, 64);
      context.fillStyle = "#C0341D";
      context.beginPath();
      context.arc(48, 16, 14, 0, 2 * Math.PI);
      context.fill();
      icon.type = "image/png";
      icon.href = canvas.toDataURL();
    };
    image.src = icon.href;
  }
}
