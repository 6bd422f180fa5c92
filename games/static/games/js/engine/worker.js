/** The engine in a worker: Python in WebAssembly, loaded from this site, with the engine's own sources. It is sent
 * {id, call, values} and answers {id, answer}, {id, json} with the answer as text, or {id, error}; while it loads it says
 * {loading: step, share: how much of its bytes have arrived}. */

const CHECK_MS = 60;
/** How long nobody has touched a board when garbage is collected. */
const REST_MS = 200;
/** Bytes that are loaded, unpacked. */
const BYTES = 12_400_000;

let ready;
let runtime;
let collector;
let resting;
let engine;
let checking;
let branches;
let proof;
let arrived = 0;

const send = fetch;
/** Fetches, and says how much has arrived until the engine runs. */
globalThis.fetch = async (...asked) => {
  const answer = await send(...asked);
  if (!engine && answer.ok) count(answer.clone()).catch(() => {});
  return answer;
};

async function count(answer) {
  const reader = answer.body.getReader();
  for (let part = await reader.read(); !part.done && !engine; part = await reader.read()) {
    arrived += part.value.length;
    if (!runtime) postMessage({ loading: "python", share: Math.min(1, arrived / BYTES) });
  }
}

/** Loads Python, then the engine. `python` is the folder of the interpreter, `archive` the engine's sources. */
async function load({ python, archive, language }) {
  postMessage({ loading: "python", share: 0 });
  const [{ loadPyodide }, packed] = await Promise.all([import(`${python}pyodide.mjs`), fetch(archive).then(bytesOf)]);
  const lock = { info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2", version: "1" }, packages: {} };
  runtime = await loadPyodide({ indexURL: python, lockFileContents: lock, packageBaseUrl: python });
  postMessage({ loading: "engine" });
  runtime.unpackArchive(packed, "zip", { extractDir: "/atta" });
  runtime.runPython('import sys; sys.path.insert(0, "/atta")');
  engine = pythonModule("engine.browser").Engine(language);
  collector = pythonModule("gc");
  collector.collect();
  collector.freeze();
  return engine.version;
}

// Django takes what looks like import("…") with a name in it for the import of a script: this has none.
const pythonModule = (name) => runtime.pyimport(name);

async function bytesOf(answer) {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** The day in UTC: records with later dates are at fault (AGN-TAG-6). */
const today = () => new Date().toISOString().slice(0, 10);

const calls = {
  load: (asked) => (ready ??= load(asked)),
  record: (text, use) => JSON.parse(engine.record(text, use ?? "", today())),
  textOf: (game) => checking.text_of(game),
  corrected(texts) {
    const bytes = checking.corrected(JSON.stringify(texts));
    const found = bytes.toJs();
    bytes.destroy();
    return found;
  },
  /** Begins a file; `more` goes on with it. */
  async check(file) {
    checking?.destroy();
    checking = null;
    const bytes = runtime.toPy(new Uint8Array(await file.arrayBuffer()));
    checking = engine.check(file.name, bytes, today());
    bytes.destroy();
  },
  more: () => JSON.parse(checking.more(CHECK_MS)),
  /** Opens a record; `branch` plays on from it otherwise. One answer is made at once, because the first takes longest. */
  open(text) {
    branches?.destroy();
    branches = engine.open(text);
    branches.branch(JSON.stringify({ ply: 0, whole: false }));
  },
  proveGame(record, published) {
    const bytes = runtime.toPy(record);
    const { findings } = JSON.parse(engine.prove_game(bytes, JSON.stringify(published)));
    bytes.destroy();
    return findings;
  },
  /** Begins to compute a leaderboard; `addGames` takes a part of the games behind it, `compareTable` ends it. */
  proveLeaderboard() {
    proof?.destroy();
    proof = engine.prove_leaderboard();
  },
  addGames: (text) => proof.add(text),
  compareTable: (table) => ({ ...JSON.parse(proof.compare(table)), digest: proof.digest(), games: proof.games }),
};

/** What a touch asks, answered as text: reading it where it is wanted takes less time than handing over what it says. */
const touches = {
  position: (body) => engine.position(body),
  setup: (slug, body) => engine.setup(slug, body),
  branch: (asked) => branches.branch(JSON.stringify(asked)),
};

/** Answers a touch; garbage is collected when none has come for a while, as that takes longer than most answers. */
function touched(call, values) {
  clearTimeout(resting);
  collector.disable();
  resting = setTimeout(() => {
    collector.enable();
    collector.collect();
  }, REST_MS);
  return touches[call](...values);
}

addEventListener("message", async ({ data: { id, call, values } }) => {
  try {
    if (call in touches) postMessage({ id, json: touched(call, values) });
    else postMessage({ id, answer: await calls[call](...values) });
  } catch (error) {
    // Of a traceback the last line says what went wrong.
    postMessage({ id, error: { type: error.type ?? error.name, message: String(error.message).trim().split("\n").at(-1) } });
  }
});
