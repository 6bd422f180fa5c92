/* Sent as one file, with what it names in place: atta_site/joining.py. */
import "../js/spelling.js";
import "../js/marks.js";
import "../js/pointing.js";
import "../js/keys.js";
import "../js/targets.js";
import "../js/zoom.js";
import "../js/fan.js";
import "../js/ahead.js";
import "../js/refusing.js";
import "../js/beside.js";
import "../js/actions.js";
import "../js/hand.js";
import "../js/board.js";
