/* Listens for events at a table or in the player's own games.

   new Stream(address, { after, asks, onEvent, onWatching, onState })
     after               the number of the last event the page knows; the first one reported is the next
     asks()              what is asked for beside the events, as parameters of the address, whenever it is opened
     onEvent(body)       something has happened; body.number counts from 1 without gaps, body.kind is its kind. For an
                         action: ply, token, seat, turn, clocks, frame (as engine.scene.frames makes them: `whole`, or
                         the changes), symbols (the drawings it needs, unless known), box and labels. If the page
                         has missed too much, body.kind is "missed", and it has to be fetched again, unless body.parts
                         brings it: these are asked for with `parts`, and come with the newest event.
     onWatching(count)   how many are watching now
     onState(isOpen)     whether events arrive; false only after ten seconds away, as streams may end at any time
   .hurry()              asks at once, if it waits until it asks again
   .close()              stops listening
   Browsers reconnect by themselves and resume after the last event; if the server keeps no streams open, they are
   asked to come back every few seconds. The rest is done here: after an error it retries at growing intervals,
   and if a proxy holds back the stream, which is noticed by missing beats, it polls instead. */

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
const BEATS_DUE = 40000;
const AWAY = 10000;

export class Stream {
  constructor(address, { after = 0, asks = () => ({}), onEvent, onWatching = () => {}, onState = () => {} }) {
    Object.assign(this, { address, after, asks, onEvent, onWatching, onState });
    this.wait = FIRST_WAIT;
    this.isPolling = false;
    this.isClosed = false;
    addEventListener("pagehide", () => this.stop());
    addEventListener("pageshow", (event) => event.persisted && !this.isClosed && this.open());
    this.open();
  }

  open() {
    this.stop();
    const address = new URL(this.address, location);
    Object.entries({ after: this.after, ...this.asks() }).forEach((one) => address.searchParams.set(...one));
    if (this.isPolling) {
      address.searchParams.set("poll", 1);
    }
    this.source = new EventSource(address);
    this.source.onopen = () => this.opened();
    this.source.onmessage = (event) => this.take(event);
    this.source.addEventListener("watching", ({ data }) => this.onWatching(JSON.parse(data).count));
    this.source.addEventListener("beat", () => this.live());
    this.source.onerror = () => this.fail();
    this.expectBeat();
  }

  opened() {
    clearTimeout(this.missing);
    this.missing = null;
    this.onState(true);
  }

  /* Passes on each event once and in order, however it arrived. */
  take({ data }) {
    this.live();
    const body = JSON.parse(data);
    if (!body.number || body.number > this.after) {
      this.after = body.number ?? this.after;
      this.onEvent(body);
    }
  }

  live() {
    this.wait = FIRST_WAIT;
    this.expectBeat();
  }

  expectBeat() {
    clearTimeout(this.due);
    if (!this.isPolling) {
      this.due = setTimeout(() => this.poll(), BEATS_DUE);
    }
  }

  poll() {
    this.isPolling = true;
    this.open();
  }

  /* Browsers retry by themselves, unless the response is not a stream. */
  fail() {
    this.missing ??= setTimeout(() => this.onState(false), AWAY);
    if (this.source.readyState === EventSource.CLOSED) {
      this.stop();
      this.again = setTimeout(() => this.open(), this.wait * (0.5 + Math.random()));
      this.wait = Math.min(LONGEST_WAIT, 2 * this.wait);
    }
  }

  hurry() {
    if (this.source.readyState !== EventSource.OPEN) {
      this.open();
    }
  }

  stop() {
    clearTimeout(this.due);
    clearTimeout(this.again);
    this.source?.close();
  }

  close() {
    this.isClosed = true;
    this.stop();
  }
}
