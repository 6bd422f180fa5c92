/** Asks the server: one request at a time, and of those made meanwhile only the last. When the network is down, it
 * retries by itself.
 *
 * new Atta.Asking({url, token, onAway(kind)}) with kind "" (it answers), "away" or "busy" */

const Atta = (globalThis.Atta ??= {});

const AGAIN = [1, 2, 4, 8, 15];
const PATIENCE = 20_000;

/** A request the server refuses; the message is for people. */
class Refused extends Error {}

class Asking {
  constructor({ token, onAway }) {
    this.token = token;
    this.onAway = onAway;
    this.wanted = null;
    this.running = false;
    this.failed = 0;
    this.wake = () => {};
    window.addEventListener("online", () => this.wake());
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
        const answer = await this.send(question);
        this.failed = 0;
        this.onAway("");
        if (question !== this.wanted) continue;
        this.wanted = null;
        question.done(answer, null);
      } catch (error) {
        if (error instanceof Refused) {
          this.failed = 0;
          this.onAway("");
          if (question !== this.wanted) continue;
          this.wanted = null;
          question.done(null, error);
        } else {
          this.onAway(error.seconds ? "busy" : "away");
          await this.rest(error.seconds || AGAIN[Math.min(this.failed++, AGAIN.length - 1)]);
        }
      }
    }
    this.running = false;
  }

  async send({ url, body }) {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": this.token, "Accept-Language": document.documentElement.lang },
      body: JSON.stringify(body),
      credentials: "same-origin",
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (answer.ok) return answer.json();
    if (answer.status === 429 || answer.status >= 500) {
      throw Object.assign(new Error(String(answer.status)), { seconds: answer.status === 429 ? Number(answer.headers.get("Retry-After")) || 2 : 0 });
    }
    const said = await answer.json().catch(() => ({}));
    throw Object.assign(new Refused(said.error?.message ?? `${answer.status}`), { answer: said.error });
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

Atta.Asking = Asking;
