/* The contents of a long text: shows where one reads, and on a phone stays closed until it is wanted. */

const contents = document.querySelector("[data-contents]");
const links = new Map([...contents.querySelectorAll("a[href^='#']")].map((link) => [link.hash.slice(1), link]));
const narrow = matchMedia("(max-width: 56rem)");
const seen = new Set();

function close() {
  contents.open = !narrow.matches;
}

function mark() {
  const first = [...links.keys()].find((id) => seen.has(id));
  if (first === undefined) {
    return;
  }
  links.forEach((link, id) => link.toggleAttribute("aria-current", id === first));
  show(links.get(first));
}

/* Scrolls the contents alone, where they are beside the text. */
function show(line) {
  if (!narrow.matches) {
    const box = contents.parentElement;
    const [top, height] = [line.getBoundingClientRect().top - box.getBoundingClientRect().top, box.clientHeight];
    box.scrollTop += top < 0 || top > height - 40 ? top - height / 2 : 0;
  }
}

const watching = new IntersectionObserver((entries) => {
  entries.forEach(({ target, isIntersecting }) => seen[isIntersecting ? "add" : "delete"](target.id));
  mark();
});

document.querySelectorAll(".text .rule[id], .text h2[id]").forEach((part) => watching.observe(part));
contents.addEventListener("click", (event) => narrow.matches && event.target.closest("a") && (contents.open = false));
narrow.addEventListener("change", close);
close();
contents.querySelectorAll("[aria-current]").forEach(show);
contents.dataset.ready = "";
