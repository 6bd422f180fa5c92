/** Computes a leaderboard again on this device, from the games behind it, and compares the whole table byte for byte. */

import { fetched, Findings } from "./findings.js";

export function prove(box) {
  const findings = new Findings(box);
  return findings.run(async (engine) => {
    const { games, count, table, digest } = box.dataset;
    await engine.call("proveLeaderboard");
    findings.bar.hidden = false;
    try {
      const answer = await fetched(games);
      for await (const text of parts(answer)) {
        const done = await engine.call("addGames", text);
        findings.bar.value = done / Math.max(1, count);
        findings.say("rating", { n: done, of: count });
      }
      const found = await engine.call("compareTable", await fetched(table).then((one) => one.text()));
      show(findings, found, { count, digest });
    } finally {
      findings.bar.hidden = true;
    }
  });
}

function show(findings, found, { count, digest }) {
  const { names } = findings.texts;
  findings.add(names.games, { same: found.games === Number(count), here: String(found.games), there: count });
  findings.add(names.set, { same: found.digest === digest, here: found.digest, there: digest });
  const { line, here, there } = found.differs ?? { line: 0, here: "", there: "" };
  findings.add(names.table.replace("{n}", found.players), { same: found.same, here: line ? `${line}: ${here}` : "", there });
  const isProved = found.same && found.digest === digest;
  findings.say(isProved ? "tableProved" : "tableDiffers");
  findings.end(isProved);
}

/** The text of an answer, in the parts in which it arrives. */
async function* parts(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}
