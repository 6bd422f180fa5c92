/* Sent as one file, with what it names in place: atta_site/joining.py. */
import "../js/patience.js";
import "../js/live.js";
import "../js/table/clocks.js";
import "../js/table/sounds.js";
import "../js/redraw.js";
import "../js/table/parts.js";
import "../js/laying.js";
import "../js/table/ring.js";
import "../js/table.js";
import "../js/other-side.js";
