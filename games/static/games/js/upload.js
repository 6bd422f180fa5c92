/** The upload form: files dropped anywhere on the page, and what was chosen. Without it the form works all the same. */

const form = document.querySelector("[data-upload]");
const zone = form.querySelector("[data-drop]");
const input = form.querySelector("input[type=file]");
const said = form.querySelector("[data-chosen]");
const most = Number(form.dataset.most);

function size(bytes) {
  const unit = bytes < 1024 ? "byte" : bytes < 1024 ** 2 ? "kilobyte" : "megabyte";
  const value = bytes / { byte: 1, kilobyte: 1024, megabyte: 1024 ** 2 }[unit];
  const format = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 };
  return new Intl.NumberFormat(document.documentElement.lang, format).format(value);
}

function show() {
  const [file] = input.files;
  const large = file && file.size > most;
  said.textContent = file ? `${file.name}, ${size(file.size)}${large ? `. ${said.dataset.tooLarge}` : ""}` : "";
  zone.classList.toggle("full", Boolean(file));
  zone.classList.toggle("refused", Boolean(large));
}

function holdsFiles(event) {
  return event.dataTransfer?.types.includes("Files");
}

form.querySelector("[data-hint]").hidden = false;
form.querySelector("[data-choose]").hidden = false;
input.classList.add("unseen");
input.addEventListener("change", show);

document.addEventListener("dragover", (event) => {
  if (holdsFiles(event)) {
    event.preventDefault();
    zone.classList.add("over");
  }
});

document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) zone.classList.remove("over");
});

document.addEventListener("drop", (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  zone.classList.remove("over");
  if (event.dataTransfer.files.length > 1) {
    said.textContent = said.dataset.many;
    return;
  }
  input.files = event.dataTransfer.files;
  show();
  form.querySelector(".button.large").focus();
});

show();
