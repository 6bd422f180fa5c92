/* Says before the first page is drawn that its game will play by itself, so that its end is not seen first. Once only,
   and not for who wants no motion. A script of its own, and no module: it has to run before the page is drawn. */

if (!matchMedia("(prefers-reduced-motion: reduce)").matches && !sessionStorage.getItem("door")) {
  document.documentElement.classList.add("door-begins");
}
