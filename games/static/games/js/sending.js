/**
 * Sends a file in pieces, using the tus protocol 1.0.0. When the connection breaks, it waits, asks how much arrived,
 * and resumes from there; likewise after a pause, and after the page is reloaded.
 */

const PIECE = 8 * 1024 ** 2;
const SLOWEST = 30;
const TUS = { "Tus-Resumable": "1.0.0" };

/** An error that retrying cannot fix; its message is for people. */
export class Refused extends Error {}

/** The server no longer has anything of this upload. */
export class Gone extends Error {}

class Broken extends Error {
  constructor(seconds) {
    super("the connection broke");
    this.seconds = seconds;
  }
}

/** A short text by which a file is recognized: from its name, size, time of change and options. */
export function markOf(file, options) {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (const char of `${file.name}/${file.size}/${file.lastModified}/${JSON.stringify(options)}`) {
    const code = char.codePointAt(0);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  return `${(one >>> 0).toString(36)}-${(two >>> 0).toString(36)}-${file.size.toString(36)}`;
}

export class Sending {
  /** @param said is called with the progress: `{sent, paused, broken}`. */
  constructor(file, token, said) {
    this.file = file;
    this.token = token;
    this.said = said;
    this.address = "";
    this.sent = 0;
    this.paused = false;
    this.over = false;
    this.wake = () => {};
  }

  /** Begins a new upload. */
  async begin(files, options) {
    const pairs = Object.entries(options).map(([name, value]) => `${name} ${base64(value)}`);
    const answer = await this.ask("POST", files, {
      "Upload-Length": String(this.file.size),
      "Upload-Metadata": pairs.join(","),
    });
    this.address = answer.headers["location"];
    return JSON.parse(answer.text).page;
  }

  /** Sends what the server does not have yet, until it has everything. */
  async run(address) {
    this.address = address || this.address;
    let failed = 0;
    for (let known = !address; !this.over && (!known || this.sent < this.file.size); ) {
      if (this.paused) {
        if (!known) this.sent = await this.howMuch().catch(() => this.sent);
        this.reportProgress();
        await this.rest();
        known = false;
        continue;
      }
      try {
        if (!known) this.sent = await this.howMuch();
        known = true;
        this.reportProgress();
        if (this.sent < this.file.size) this.sent = await this.piece();
        failed = 0;
      } catch (error) {
        known = false;
        if (!(error instanceof Broken)) throw error;
        if (this.paused || this.over) continue;
        this.reportProgress(true);
        failed += 1;
        await this.rest(error.seconds || Math.min(SLOWEST, 2 ** (failed - 1)));
      }
    }
    this.reportProgress();
    return !this.over;
  }

  pause() {
    this.paused = true;
    this.request?.abort();
    this.wake();
  }

  goOn() {
    this.paused = false;
    this.wake();
  }

  async cancel() {
    this.over = true;
    this.request?.abort();
    this.wake();
    await this.ask("DELETE", this.address, {}).catch(() => {});
  }

  reportProgress(broken = false, more = 0) {
    this.said({ sent: this.sent + more, paused: this.paused, broken });
  }

  /** Waits for some seconds, or for ever; ended early by a returning connection or a button. */
  rest(seconds) {
    return new Promise((resolve) => {
      const timer = seconds ? setTimeout(() => this.wake(), seconds * 1000) : 0;
      this.wake = () => {
        clearTimeout(timer);
        window.removeEventListener("online", this.wake);
        resolve();
      };
      if (seconds) window.addEventListener("online", this.wake);
    });
  }

  async howMuch() {
    return Number((await this.ask("HEAD", this.address, {})).headers["upload-offset"]);
  }

  async piece() {
    const headers = { "Upload-Offset": String(this.sent), "Content-Type": "application/offset+octet-stream" };
    const answer = await this.ask("PATCH", this.address, headers, this.file.slice(this.sent, this.sent + PIECE));
    return Number(answer.headers["upload-offset"]);
  }

  /** Sends one request. XMLHttpRequest, because it reports upload progress. */
  ask(method, address, headers, body = null) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      for (const [name, value] of Object.entries({ ...TUS, ...headers, "X-CSRFToken": this.token }))
        request.setRequestHeader(name, value);
      request.upload.onprogress = (event) => this.reportProgress(false, event.loaded);
      request.onload = () => settle(request, resolve, reject);
      request.onerror = request.onabort = request.ontimeout = () => reject(new Broken());
      // Without it, a silently lost connection would never end.
      request.timeout = 120_000;
      if (method !== "DELETE") this.request = request;
      request.send(body);
    });
  }
}

function settle(request, resolve, reject) {
  const headers = Object.fromEntries(
    request
      .getAllResponseHeaders()
      .trim()
      .split(/[\r\n]+/)
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  if (request.status < 300) resolve({ headers, text: request.responseText });
  else if (request.status === 404) reject(new Gone());
  else if (request.status >= 500 || request.status === 429 || (request.status === 409 && "upload-offset" in headers))
    reject(new Broken(Number(headers["retry-after"]) || 0));
  else reject(new Refused(message(request.responseText)));
}

function message(text) {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return text.slice(0, 200);
  }
}

function base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
