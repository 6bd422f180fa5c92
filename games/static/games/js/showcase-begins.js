/* Marks before the front page is drawn that its game will play by itself, so that its end does not flash up. Only once,
   and not with reduced motion. A separate script, not a module: it has to run before the page is drawn. */

if (!matchMedia("(prefers-reduced-motion: reduce)").matches && !sessionStorage.getItem("showcase")) {
  document.documentElement.classList.add("showcase-begins");
}
