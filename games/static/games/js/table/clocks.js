/* The clocks of a table: what is left is counted down from the moment at which it is used up.

   [data-deadline]   that moment; with data-days also as days and hours */

const SECOND = 1000;
const SHORT = 30;
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

class Clocks {
  constructor(root) {
    this.root = root;
    setInterval(() => this.tick(), SECOND / 4);
  }

  tick() {
    for (const clock of this.root.querySelectorAll("[data-deadline]:not([data-deadline=''])")) {
      const left = Math.max(0, new Date(clock.dataset.deadline) - Date.now()) / SECOND;
      const text = shown(left, "days" in clock.dataset);
      if (clock.textContent !== text) {
        clock.textContent = text;
      }
      clock.classList.toggle("short", left < SHORT);
    }
  }
}

function shown(left, inDays) {
  const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)];
  if (inDays && days) {
    return `${days} d ${hours} h`;
  }
  return `${Math.floor(left / MINUTE)}:${String(Math.floor(left % MINUTE)).padStart(2, "0")}`;
}

Object.assign((globalThis.Atta ??= {}), { Clocks });
