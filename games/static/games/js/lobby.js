/* The lobby: what does not apply in the form for a new table is hidden. */

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

form.addEventListener("change", apply);
apply();
