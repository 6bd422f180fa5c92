/* Sent as one file, with what it names in place: atta_site/joining.py. */
import "../js/scene.js";
import "../js/steps.js";
import "../js/timeline.js";
import "../js/closer.js";
import "../replay.js";
import "../js/other-side.js";
import "../js/comments.js";
