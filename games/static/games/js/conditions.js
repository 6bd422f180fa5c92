/* Adds conditions to the filter of games at once. Without scripts, the page is asked for with the field. */

const more = document.querySelector("[data-conditions]");
const menu = more.querySelector("details");

function add(button) {
  const template = more.querySelector(`template[data-condition="${button.value}"]`);
  const shown = template.content.cloneNode(true);
  const field = shown.querySelector("select, input");
  menu.before(shown);
  template.remove();
  const next = button.nextElementSibling;
  button.remove();
  if (next && /^event\d?$/.test(button.value)) {
    next.hidden = false;
  }
  menu.open = false;
  field.focus();
}

menu.addEventListener("click", (event) => {
  const button = event.target.closest("button[name=add]");
  if (button) {
    event.preventDefault();
    add(button);
  }
});
