/* Asks the server, and waits out a refusal because of too many requests (429), so that nobody has to press again.

   patiently(address, options, { patience })   like fetch; waits as long as the answer's Retry-After says, in all at
                                               most `patience` seconds, then returns the refusal */

const WAIT = 2;
const PATIENCE = 120;
const MILLISECONDS = 1000;

export async function patiently(address, options = {}, { patience = PATIENCE } = {}) {
  for (let left = patience; ; ) {
    const answer = await fetch(address, options);
    const wait = answer.status === 429 ? Math.max(1, Number(answer.headers.get("Retry-After")) || WAIT) : 0;
    if (!wait || wait > left) {
      return answer;
    }
    left -= wait;
    // Up to a second more, so that a whole club does not come back at once.
    await new Promise((resolve) => setTimeout(resolve, (wait + Math.random()) * MILLISECONDS));
  }
}
