/* Fetches the small pictures of games in a list when they come into view. Without scripts all are there at once. */

const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) {
        seen.unobserve(target);
        target.src = target.dataset.src;
      }
    }
  },
  { rootMargin: "48px" },
);

document.querySelectorAll("img[data-src]").forEach((image) => seen.observe(image));
