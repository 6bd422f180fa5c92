/** Verifies a game on this device: its record is played again, and what follows is compared with what the site shows.
 * From then on the same engine answers what would have happened otherwise (js/what-if.js). */

import { branching } from "../branching.js";
import { fetched, Findings } from "./findings.js";

export function prove(box) {
  const findings = new Findings(box);
  return findings.run(async (engine) => {
    const { game, log, canonical, deal } = box.dataset;
    findings.say("reading");
    const record = new Uint8Array(await fetched(log).then((answer) => answer.arrayBuffer()));
    const published = {
      game: await fetched(game).then((answer) => answer.json()),
      canonical: canonical ? await fetched(canonical).then((answer) => answer.text()) : null,
      deal: deal ? await fetched(deal).then((answer) => answer.json()) : null,
    };
    const found = await engine.call("proveGame", record, published);
    for (const one of found) findings.add(findings.texts.names[one.what], { ...one, isRefuted: isBrokenDeal(one) });
    const wrong = found.filter(({ same }) => !same).length;
    const isFair = !found.some(isBrokenDeal);
    findings.say(wrong ? "gameDiffers" : isFair ? "gameProved" : "dealBroken", { n: wrong });
    findings.end(!wrong && isFair);
    await playOn(engine, record);
  });
}

/** Whether this says that the deal does not follow from its secret. The site may say so, too. */
const isBrokenDeal = ({ what, here }) => what === "dealing" && here === "broken";

/** Lets the engine answer what would have happened otherwise, where anything of the record can be played. */
async function playOn(engine, record) {
  if (!document.querySelector("[data-what-if-parts]")) return;
  await engine.call("open", new TextDecoder().decode(record));
  branching.askHere = (asked) => engine.call("branch", asked);
}
