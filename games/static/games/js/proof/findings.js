/** What is shown while something is verified on this device, and the result; see proof/begins.js. */

import { Engine, OtherVersion } from "../engine/engine.js";

/** One for all proofs of a page. */
let engineHere = null;

export class Findings {
  constructor(box) {
    this.box = box;
    this.texts = JSON.parse(document.getElementById("proof-texts").textContent);
    this.says = box.querySelector("[data-proof-says]");
    this.list = box.querySelector("[data-proof-findings]");
    this.bar = box.querySelector("[data-proof-bar]");
    this.list.replaceChildren();
  }

  say(name, values = {}) {
    this.says.textContent = Object.entries(values).reduce((text, [key, value]) => text.replace(`{${key}}`, value), this.texts[name]);
  }

  /** Loads the engine, once a page. */
  async load() {
    engineHere ??= new Engine(this.box);
    this.bar.hidden = engineHere.loaded;
    try {
      await engineHere.load((step, share) => this.showLoading(step, share));
    } finally {
      this.bar.hidden = true;
    }
    return engineHere;
  }

  showLoading(step, share) {
    if (this.says.textContent !== this.texts[step]) this.say(step);
    if (share) this.bar.value = share;
    else this.bar.removeAttribute("value");
  }

  /** Runs a proof; what fails is said in words. */
  async run(proof) {
    this.box.classList.remove("is-proved", "is-refuted");
    try {
      const engine = await this.load();
      await proof(engine);
    } catch (error) {
      if (error instanceof OtherVersion) this.say("version");
      else this.say(engineHere.loaded ? "broken" : "failed", { why: error.message });
    }
  }

  /** Adds a line: what was compared, and whether it is the same here and there. `isRefuted`: both say that it is wrong. */
  add(what, { same, isRefuted, here: mine, there: theirs }) {
    const [here, there] = [mine, theirs].map((value) => this.texts.values[value] ?? value);
    const line = document.createElement("li");
    line.className = same && !isRefuted ? "same" : "differs";
    const name = document.createElement("b");
    name.textContent = what;
    line.append(name, " ", same ? short(here) : this.texts.differs.replace("{here}", here).replace("{there}", there));
    this.list.append(line);
  }

  end(proved) {
    this.box.classList.add(proved ? "is-proved" : "is-refuted");
  }
}

/** Of a digest the beginning, enough to compare by eye. */
function short(text) {
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}

export async function fetched(address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}
