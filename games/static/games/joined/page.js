/* Sent as one file, with what it names in place: atta_site/joining.py. */
import "../js/theme.js";
import "../js/moments.js";
import "../js/turns.js";
import "../js/find.js";
import "../js/place.js";
