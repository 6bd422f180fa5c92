/** Answers what the page asks about positions: by the server, or by the engine on this device where it is loaded. One
 * question at a time, and of those asked meanwhile only the last. When the network is down, the engine is loaded, and
 * the server is asked again from time to time.
 *
 * new Asking({token, engine, version, onAway(kind), onOther()}) with kind "" (the server answers), "away" (nobody
 * answers), "starting" (the engine is being loaded), "here" (it answers) or "busy" */

import { OtherVersion } from "../engine/engine.js";

const AGAIN = [1, 2, 4, 8, 15];
const PATIENCE = 20_000;
const VERSION = "Atta-Engine";

/** A request that is refused; the message is for people. */
class Refused extends Error {}

export class Asking {
  constructor({ token, engine, version, onAway, onOther }) {
    Object.assign(this, { token, engine, version, onAway, onOther });
    this.wanted = null;
    this.running = false;
    this.failed = 0;
    this.isAway = false;
    this.wake = () => {};
    window.addEventListener("online", () => (this.isAway ? this.look() : this.wake()));
    window.addEventListener("offline", () => this.lost());
  }

  /** Posts `body` to `url` and calls `done(answer, error)`, except for requests superseded by a later one. */
  ask(url, body, done) {
    this.wanted = { url, body, done };
    this.wake();
    if (!this.running) this.run();
  }

  async run() {
    this.running = true;
    while (this.wanted) {
      const question = this.wanted;
      try {
        const answer = await this.answer(question);
        if (question !== this.wanted) continue;
        this.wanted = null;
        question.done(answer, null);
      } catch (error) {
        if (error instanceof Refused) {
          if (question !== this.wanted) continue;
          this.wanted = null;
          question.done(null, error);
        } else {
          if (error.seconds) this.onAway("busy");
          else this.lost();
          await this.rest(error.seconds || AGAIN[Math.min(this.failed++, AGAIN.length - 1)]);
        }
      }
    }
    this.running = false;
  }

  async answer(question) {
    if (this.engine.loaded) return this.here(question);
    try {
      const answer = await this.send(question);
      this.found();
      return answer;
    } catch (error) {
      if (error instanceof Refused) this.found();
      throw error;
    }
  }

  /** Answers by the engine on this device, which says the same as the server. */
  async here({ url, body }) {
    const [, slug] = /\/setups\/([^/]+)$/.exec(url) ?? [];
    const answer = await (slug
      ? this.engine.call("setup", slug, JSON.stringify(body))
      : this.engine.call("position", JSON.stringify({ whole: false, ...body })));
    if (answer.error) throw Object.assign(new Refused(answer.error.message), { answer: answer.error });
    return answer;
  }

  async send({ url, body }) {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": this.token, "Accept-Language": document.documentElement.lang },
      body: JSON.stringify(body),
      credentials: "same-origin",
      signal: AbortSignal.timeout(PATIENCE),
    });
    this.compare(answer);
    if (answer.ok) return answer.json();
    if (answer.status === 429 || answer.status >= 500) {
      throw Object.assign(new Error(String(answer.status)), { seconds: answer.status === 429 ? Number(answer.headers.get("Retry-After")) || 2 : 0 });
    }
    const said = await answer.json().catch(() => ({}));
    throw Object.assign(new Refused(said.error?.message ?? `${answer.status}`), { answer: said.error });
  }

  /** Says so when the site has other rules than this page. */
  compare(answer) {
    const found = answer.headers.get(VERSION);
    if (found && found !== this.version) this.sayOther();
  }

  sayOther() {
    if (!this.isOther) this.onOther();
    this.isOther = true;
  }

  // The network

  found() {
    this.failed = 0;
    this.isAway = false;
    clearTimeout(this.looking);
    this.onAway("");
  }

  /** The server cannot be reached: loads the engine, if this device has it, and looks for the server now and then. */
  lost() {
    this.isAway = true;
    this.onAway(this.engine.loaded ? "here" : "away");
    this.engine
      .load((step) => step === "engine" && this.isAway && this.onAway("starting"))
      .then(() => {
        if (this.isAway) this.onAway("here");
        this.wake();
      })
      .catch((error) => error instanceof OtherVersion && this.sayOther());
    clearTimeout(this.looking);
    this.looking = setTimeout(() => this.look(), AGAIN.at(-1) * 1000);
  }

  /** Looks whether the server answers again. */
  async look() {
    try {
      const answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
      if (!answer.ok) throw new Error(String(answer.status));
      this.compare(answer);
      this.found();
      this.wake();
    } catch {
      this.lost();
    }
  }

  rest(seconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake(), seconds * 1000);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = () => {};
        resolve();
      };
    });
  }
}
