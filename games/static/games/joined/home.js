/* Sent as one file, with what it names in place: atta_site/joining.py. */
import "../js/scene.js";
import "../js/showcase.js";
