/** A checkbox that selects all others in its form; without this script they are selected one by one. */

for (const form of document.querySelectorAll("[data-choosing]")) {
  const label = form.querySelector("[data-all]");
  const all = label.querySelector("input");
  const boxes = [...form.querySelectorAll("input[type=checkbox][name]")];
  label.hidden = false;
  all.addEventListener("change", () => boxes.forEach((box) => (box.checked = all.checked)));
  form.addEventListener("change", () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  });
}
