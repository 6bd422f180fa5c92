/* Sent as one file, with what it names in place: atta_site/joining.py. */
import "../js/score/agn.js";
import "../js/redraw.js";
import "../js/score/sheet.js";
import "../js/score/keeping.js";
import "../js/engine/engine.js";
import "../js/score/positions.js";
import "../js/score/outbox.js";
import "../js/score/offline.js";
import "../js/score/editor.js";
import "../js/score/setup.js";
import "../js/laying.js";
import "../js/score/moves.js";
import "../js/score/tabs.js";
import "../js/score/stage.js";
import "../js/score/shelf.js";
import "../js/score/dock.js";
import "../js/score.js";
