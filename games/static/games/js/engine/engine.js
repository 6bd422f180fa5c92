/** The engine on this device, loaded when it is first asked for.
 *
 * new Engine(element) reads `data-worker`, `data-python`, `data-archive` and `data-version` of an element.
 * engine.load(onStep) resolves when it can be asked; engine.call(name, ...values) resolves with an answer. */

/** The rules on this device are not those of the site. */
export class OtherVersion extends Error {}

export class Engine {
  constructor({ dataset }) {
    this.addresses = dataset;
    this.loaded = false;
    this.asked = new Map();
    this.next = 0;
  }

  /** Loads once. `onStep` is called with "python" and the share of bytes that have arrived, then with "engine". */
  load(onStep = () => {}) {
    this.onStep = onStep;
    this.loading ??= this.begin().catch((error) => {
      this.loading = null;
      this.worker?.terminate();
      throw error;
    });
    return this.loading;
  }

  async begin() {
    const { worker, python, archive, version } = this.addresses;
    this.worker = new Worker(worker, { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.heard(data));
    this.worker.addEventListener("error", (event) => this.broke(event));
    const full = (address) => new URL(address, location).href;
    const found = await this.call("load", { python: full(python), archive: full(archive), language: document.documentElement.lang });
    if (found !== version) throw new OtherVersion(found);
    this.loaded = true;
  }

  call(call, ...values) {
    const id = ++this.next;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.worker.postMessage({ id, call, values });
    });
  }

  heard({ id, answer, json, error, loading, share }) {
    if (loading) {
      this.onStep(loading, share);
      return;
    }
    const { resolve, reject } = this.asked.get(id);
    this.asked.delete(id);
    if (error) reject(Object.assign(new Error(error.message), error));
    else resolve(json ? JSON.parse(json) : answer);
  }

  /** The worker itself failed: nobody who waits for it gets an answer. */
  broke(event) {
    for (const { reject } of this.asked.values()) reject(new Error(event.message));
    this.asked.clear();
  }
}
