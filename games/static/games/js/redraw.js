/* Redraws parts of a page without taking anything from under a finger: a click needs its button until the finger, the
   pen or the mouse is up, and what has the focus keeps it.

   released(root)       a promise that nothing in the root is being pressed
   redraw(list, rows)   replaces the rows of a list, or nothing where they are the same */

/* How long after a finger is up its click comes, at most. */
const CLICKS = 50;

const later = new WeakMap();
let [pressed, lifted] = [null, Promise.resolve()];

addEventListener("pointerdown", ({ button, target }) => button || press(target), { capture: true });

function press(target) {
  pressed = target;
  lifted = new Promise((resolve) => {
    const up = () => setTimeout(resolve, CLICKS);
    ["pointerup", "pointercancel"].forEach((name) => addEventListener(name, up, { once: true, capture: true }));
  });
  lifted.then(() => (pressed = null));
}

export function released(root) {
  return root.contains(pressed) ? lifted : Promise.resolve();
}

export function redraw(list, rows) {
  if (later.has(list) || list.contains(pressed)) {
    later.has(list) || lifted.then(() => put(list, later.get(list)));
    later.set(list, rows);
  } else {
    put(list, rows);
  }
}

/* The focus goes to what has the same data. */
function put(list, rows) {
  later.delete(list);
  if (rows.map(({ outerHTML }) => outerHTML).join("") === list.innerHTML) {
    return;
  }
  const { activeElement: focused } = document;
  const isSame = list.contains(focused) && ((one) => JSON.stringify(one.dataset) === JSON.stringify(focused.dataset));
  list.replaceChildren(...rows);
  if (isSame) {
    [...list.querySelectorAll("button")].find(isSame)?.focus();
  }
}
