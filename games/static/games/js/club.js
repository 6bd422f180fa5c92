/** Shows a club while it is being founded: `<form data-preview>` and `[data-shows=field]`; offers an address from the name.
 *
 * With `data-fresh` nothing was chosen yet: then the time zone is the browser's. */

const form = document.querySelector("[data-preview]");
const slug = form?.elements.namedItem("slug");
let own = Boolean(slug?.value);

function address(name) {
  const plain = name.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40);
}

for (const shown of document.querySelectorAll("[data-shows]")) {
  const empty = shown.textContent;
  const field = form?.elements.namedItem(shown.dataset.shows);
  const show = () => {
    shown.textContent = field.value || empty;
    if (field.name === "name" && !own) slug.value = address(field.value);
  };
  field?.addEventListener("input", show);
  // What was typed before this script was there counts, too.
  if (field?.value) show();
}
slug?.addEventListener("input", () => (own = Boolean(slug.value)));

const zone = form?.elements.namedItem("time_zone");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && "fresh" in form.dataset && [...zone.options].some((one) => one.value === here)) zone.value = here;
