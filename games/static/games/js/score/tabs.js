/** Tabs following the ARIA pattern: arrows move between them, and each names its panel. */

export class Tabs {
  constructor(list, onChoose) {
    this.list = list;
    this.onChoose = onChoose;
    list.addEventListener("click", ({ target }) => {
      const tab = target.closest("[role=tab]");
      if (tab) this.choose(nameOf(tab));
    });
    list.addEventListener("keydown", (event) => this.key(event));
  }

  get tabs() {
    return [...this.list.querySelectorAll("[role=tab]")];
  }

  get chosen() {
    return nameOf(this.tabs.find((tab) => tab.getAttribute("aria-selected") === "true"));
  }

  choose(name) {
    for (const tab of this.tabs) {
      const chosen = nameOf(tab) === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
    }
    this.onChoose(name);
  }

  key(event) {
    const { tabs } = this;
    const at = tabs.indexOf(document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    const tab = tabs[(next + tabs.length) % tabs.length];
    this.choose(nameOf(tab));
    tab.focus();
  }
}

function nameOf(tab) {
  return tab.id.slice("tab-".length);
}
