/* The parts of a table's page that the server writes: fetched anew whenever something has happened.

   new Atta.Parts(root, { known, onRead, onAway })
     known()     the drawings that the page has already
     newest()    the number of the last event that is known
     onRead()    they have changed
   [data-part="NAME"]   a part; what somebody is writing in it, or has opened, stays */

class Parts {
  constructor(root, options) {
    this.root = root;
    this.options = options;
  }

  /* Fetches them one after another: a call while it fetches is another fetch afterwards. */
  async refresh() {
    this.again = Boolean(this.isFetching);
    if (this.isFetching) {
      return;
    }
    this.isFetching = true;
    try {
      const known = encodeURIComponent(this.options.known().join(","));
      const found = await fetch(`${location.pathname}?parts&known=${known}`);
      if (found.ok) {
        this.replace(new DOMParser().parseFromString(await found.text(), "text/html"));
      }
    } catch {
      this.options.onAway();
    }
    this.isFetching = false;
    if (this.again) {
      this.refresh();
    }
  }

  /* What was fetched before something happened is not shown: it is fetched again. */
  replace(page) {
    if (Number(page.querySelector("[data-part=data]").dataset.event) < this.options.newest()) {
      return;
    }
    page.querySelectorAll("noscript").forEach((part) => part.remove());
    for (const part of page.querySelectorAll("[data-part]")) {
      const old = this.root.querySelector(`[data-part="${part.dataset.part}"]`);
      const isNews = old && old.innerHTML !== part.innerHTML;
      if (isNews || old?.hidden !== part.hidden) {
        part.open = old.open;
        keepFields(old, part);
        old.replaceWith(document.importNode(part, true));
      }
    }
    this.options.onRead();
  }
}

function keepFields(old, part) {
  for (const field of old.querySelectorAll("input:not([type=hidden], [readonly], [type=radio])")) {
    part.querySelector(`[name="${field.name}"]`)?.setAttribute("value", field.value);
  }
}

Object.assign((globalThis.Atta ??= {}), { Parts });
