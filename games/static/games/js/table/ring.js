/* Lays the setup of a table card by card, where the first player has to: with the cards dealt, at first as the server
   suggests it.

   new Ring(root, { token, onLay(setup) })
     .show(ring)   what the page says of it (games/web/play/table.py), or nothing when there is none to lay
   [data-laying], [data-laying-picker]   the stage and the picker of js/laying.js; [data-lay-ring]: the button */

import { Laying } from "../laying.js";
import { patiently } from "../patience.js";

export class Ring {
  constructor(root, options) {
    this.root = root;
    this.options = options;
    this.stage = root.querySelector("[data-laying]");
    this.picker = root.querySelector("[data-laying-picker]");
    this.button = root.querySelector("[data-lay-ring]");
    this.button.addEventListener("click", () => this.send());
  }

  show(ring) {
    this.stage.hidden = this.picker.hidden = this.button.hidden = !ring;
    this.root.classList.toggle("is-laying", Boolean(ring));
    if (!ring || this.laying) {
      return;
    }
    this.ring = ring;
    this.laying = new Laying(this.stage, this.picker, {
      texts: ring.texts,
      ask: (_, body) => this.ask(body),
      onLay: (laid) => this.lay(laid),
      onLaid: (answer) => this.offer(answer),
    });
    this.lay(ring.suggested);
  }

  lay(laid) {
    const { slug, hand, seats } = this.ring;
    this.laying.show({ slug, laid, hand, seats: seats.map((letter) => ({ letter })) });
  }

  async ask(body) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.options.token() };
    const answer = await patiently(this.ring.setups, { method: "POST", headers, body: JSON.stringify(body) });
    return answer.ok ? answer.json() : null;
  }

  /* The button stays where it is, and can be pressed as soon as a game can begin like this. */
  offer({ complete, setup }) {
    this.button.disabled = !complete;
    this.setup = setup;
  }

  async send() {
    this.button.disabled = true;
    await this.options.onLay(this.setup).catch(() => (this.button.disabled = false));
  }
}
