/** A button for each block of code that copies it; its words are those of the page's language. */

const PAUSE = 2000;
const { copy: COPY, copied: COPIED } = document.querySelector("article").dataset;

for (const block of document.querySelectorAll("article pre")) {
  const around = document.createElement("div");
  around.className = "code-block";
  block.replaceWith(around);
  const button = document.createElement("button");
  button.className = "button small";
  button.textContent = COPY;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = COPIED;
    setTimeout(() => (button.textContent = COPY), PAUSE);
  });
  around.append(block, button);
}
