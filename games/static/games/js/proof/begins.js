/** Offers to verify here what the page shows; all that it takes is loaded when it is wanted: [data-proof] names the files. */

for (const box of document.querySelectorAll("[data-proof]")) {
  const button = box.querySelector("[data-proof-begin]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    const { scripts, styles } = JSON.parse(box.dataset.proof);
    for (const href of styles) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    try {
      for (const address of scripts) await import(address);
      await globalThis.Atta.proofs[box.dataset.of](box);
    } catch (error) {
      box.querySelector("[data-proof-says]").textContent = error.message;
    }
    button.disabled = false;
  });
}
