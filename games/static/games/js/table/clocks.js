/* The clocks of a table: what is left is counted down from the moment at which it is used up.

   [data-deadline]   that moment; with data-days also as days and hours */

const SECOND = 1000;
const SHORT = 30;
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

export class Clocks {
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
  if (inDays && left >= DAY) {
    return `${Math.floor(left / DAY)} d ${Math.floor((left % DAY) / HOUR)} h`;
  }
  const [minutes, seconds] = [Math.floor((left % HOUR) / MINUTE), Math.floor(left % MINUTE)].map(twoDigits);
  return left < HOUR ? `${Number(minutes)}:${seconds}` : `${Math.floor(left / HOUR)}:${minutes}:${seconds}`;
}

function twoDigits(number) {
  return String(number).padStart(2, "0");
}
