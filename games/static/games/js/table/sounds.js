/* Sounds at a table, made by the browser itself: a tap for an action, two notes when it is the reader's turn, three at the
   end. On where there is a mouse; off on phones, which do not say whether they are silent, until they are switched on.

   new Sounds(root)
     .hear({ ply, mine, over })     what the table shows now; what it shows first is not heard
   <button data-sounds aria-pressed="…" hidden>    the switch; the choice is kept in this browser */

const KEPT = "atta:sounds";
const QUIET = 0.06;
const NOTES = { action: [[330, 0, 0.05]], turn: [[523, 0, 0.12], [659, 0.13, 0.16]], over: [[523, 0, 0.14], [659, 0.15, 0.14], [784, 0.3, 0.3]] };

export class Sounds {
  constructor(root) {
    this.button = root.querySelector("[data-sounds]");
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.switch(!this.isOn));
    this.mark();
  }

  get isOn() {
    return (localStorage.getItem(KEPT) ?? (matchMedia("(pointer: fine)").matches ? "on" : "off")) === "on";
  }

  switch(isOn) {
    localStorage.setItem(KEPT, isOn ? "on" : "off");
    this.mark();
    this.play("action");
  }

  mark() {
    this.button.setAttribute("aria-pressed", String(this.isOn));
  }

  hear(now) {
    const { before } = this;
    this.before = now;
    if (!before || now.ply <= before.ply) {
      return;
    }
    if (now.over) {
      this.play("over");
    } else {
      this.play(now.mine && !before.mine ? "turn" : "action");
    }
  }

  /* Browsers let a page be heard only after somebody has touched it. */
  play(name) {
    if (!this.isOn || !navigator.userActivation?.hasBeenActive) {
      return;
    }
    this.context ??= new AudioContext();
    this.context.resume();
    for (const [pitch, from, length] of NOTES[name]) {
      this.note(pitch, this.context.currentTime + from, length);
    }
    this.button.dataset.played = name;
  }

  note(pitch, begin, length) {
    const [tone, loudness] = [this.context.createOscillator(), this.context.createGain()];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(QUIET, begin);
    loudness.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    tone.connect(loudness).connect(this.context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}
