/* Where the steps of a replay lead: by action, by turn, by event, or by every token. It knows plies, and no game.

   steps = new Steps({ quiet, turns, events }, last)
     quiet     plies that change nothing on the board: they belong to the ply before them
     turns     [letter of a seat, last ply of its turn]
     events    plies
   .from(ply, by, kind)        where a step of a kind leads: by 1 or -1; kinds: action, turn, event, token
   .ofSeat(ply, by, letter)    the end of a seat's next or previous turn; without a letter, of the seat whose turn it was
   .begin(ply)                 the ply to which a quiet one belongs */

export class Steps {
  constructor({ quiet = [], turns = [], events = [] } = {}, last = 0) {
    this.quiet = new Set(quiet);
    this.turns = turns;
    this.events = events;
    this.last = last;
  }

  begin(ply) {
    while (this.quiet.has(ply)) {
      ply -= 1;
    }
    return ply;
  }

  from(ply, by, kind = "action") {
    const to = { turn: () => this.turn(ply, by), event: () => this.event(ply, by), token: () => ply + by }[kind];
    return Math.max(0, Math.min(this.last, to ? to() : this.action(ply, by)));
  }

  action(ply, by) {
    if (by < 0) {
      return this.begin(ply) - 1;
    }
    do {
      ply += 1;
    } while (this.quiet.has(ply + 1));
    return ply;
  }

  turn(ply, by) {
    const ends = this.turns.map(([, end]) => end);
    return (by > 0 ? ends.find((end) => end > ply) : ends.findLast((end) => end < ply)) ?? (by > 0 ? this.last : 0);
  }

  event(ply, by) {
    const found = by > 0 ? this.events.find((one) => one > ply) : this.events.findLast((one) => one < ply);
    return found ?? ply;
  }

  ofSeat(ply, by, letter = this.seatAt(ply)) {
    const own = this.turns.filter(([seat]) => seat === letter).map(([, end]) => end);
    return (by > 0 ? own.find((end) => end > ply) : own.findLast((end) => end < ply)) ?? ply;
  }

  seatAt(ply) {
    return this.turns.find(([, end]) => end >= ply)?.[0];
  }
}
