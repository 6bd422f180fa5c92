/** Answers of the engine on this device about what would have happened otherwise, once a proof has loaded it; `askHere` is
 * null as long as only the site answers. */

export const branching = { askHere: null };
