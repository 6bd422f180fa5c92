/* The reference of the API, which Swagger UI shows: dark where the site is, and searched by words. */

const dark = matchMedia("(prefers-color-scheme: dark)");

function follow() {
  const { theme } = document.documentElement.dataset;
  document.documentElement.classList.toggle("dark-mode", theme ? theme === "dark" : dark.matches);
}

/* Finds operations by their words, where Swagger UI finds subjects alone, and opens the subjects that have some. */
const findByWords = () => ({
  fn: {
    opsFilter(subjects, wanted) {
      const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
      const found = subjects.map((all, subject) =>
        all.update("operations", (some) => some.filter((one) => has(`${subject} ${textOf(one)}`, words)))
      );
      return found.filter((all) => all.get("operations").size > 0);
    },
  },
  statePlugins: {
    layout: {
      wrapActions: {
        updateFilter: (update, system) => (wanted) => {
          const subjects = system.specSelectors.taggedOperations().keySeq();
          subjects.forEach((one) => void system.layoutActions.show(["operations-tag", one], wanted !== ""));
          return update(wanted);
        },
      },
    },
  },
});

function textOf(one) {
  const said = ["operationId", "description"].map((part) => one.getIn(["operation", part], ""));
  return [one.get("method"), one.get("path"), ...said].join(" ");
}

function has(text, words) {
  const low = text.toLowerCase();
  return words.every((word) => low.includes(word));
}

/* Says what is searched, in the page's language; the page has a main part already. As soon as they are drawn: a reader
   never meets two main parts. */
const shown = document.getElementById("swagger-ui");
new MutationObserver(() => {
  const find = shown.querySelector(".operation-filter-input");
  const operations = shown.querySelector("#operations");
  if (find) find.placeholder = shown.dataset.find;
  if (operations) operations.role = "group";
}).observe(shown, { childList: true, subtree: true });

dark.addEventListener("change", follow);
follow();
