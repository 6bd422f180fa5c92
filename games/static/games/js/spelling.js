/* How an action is spelled by touches: the tree of what may be touched next, and the path taken in it so far. It draws
   nothing and knows no game.

   A node is {t: target, p: part of the token, s: what the touch means, k: nodes that may follow, a: the token if an
   action may end here, c: its sentence, g: ghost, w: path, d: badge}. A target `choice:…` is a button, any other one
   is on the board. A route is a series of nodes, each below the one before it. */

export const CHOICE = "choice:";

export function isChoice(node) {
  return node.t.startsWith(CHOICE);
}

export class Spelling {
  /* `isLaid` takes a piece's id and returns whether it is on the board: if not, it can be turned while being laid. */
  constructor(tree, isLaid = () => true) {
    this.root = { k: tree };
    this.isLaid = isLaid;
    this.path = [];
    this.steps = [];
    this.turns = [];
  }

  get at() {
    return this.path.at(-1) ?? this.root;
  }

  /* The last target touched on the board. */
  get here() {
    return this.path.findLast((node) => !isChoice(node))?.t ?? null;
  }

  /* The action that may end here. */
  get token() {
    return this.at.a ?? null;
  }

  /* The parts of the token spelled so far; a complete token may have them in another order. */
  get parts() {
    const parts = this.path.map((node) => node.p).filter(Boolean);
    return this.token && parts.join("") !== this.token ? [this.token] : parts;
  }

  get spelled() {
    return this.parts.join("");
  }

  get sentence() {
    return this.at.c ?? sentenceOf(this.path);
  }

  /* The touches so far, as what each of them means and its part of the token. */
  get touched() {
    return this.path.filter((node) => !isQuestion(node));
  }

  /* Whether the last target can mean several things. */
  get asks() {
    return Boolean(this.path.length) && isQuestion(this.at);
  }

  get choices() {
    return this.turns.length ? [] : (this.at.k ?? []).filter(isChoice);
  }

  /* What can be touched on the board from a level of the path, by target. */
  reach(level = this.path.length) {
    const from = level ? this.path[level - 1] : this.root;
    return new Map((from.k ?? []).filter((node) => !isChoice(node)).map((node) => [node.t, node]));
  }

  /* What can be touched now, and, after picking something, what could have been picked instead. */
  around() {
    const level = this.steps.at(-1) ?? 0;
    const wasPicked = level > 0 || this.path[0]?.g || this.turns.length;
    return new Map([...(wasPicked ? this.reach(level) : []), ...this.reach()]);
  }

  /* The ways to turn the piece laid by touching a node; empty if there is nothing to turn. */
  turnsOf(node) {
    const { a, k = [] } = node;
    return !a && k.length > 1 && k.every((one) => isChoice(one) && one.a && one.g && !this.isLaid(one.g.id)) ? k : [];
  }

  /* The ways to turn the card in hand, anywhere it can be laid: as ghosts with their labels. */
  turnsAround() {
    const level = this.turns.length || this.at.g ? (this.steps.at(-1) ?? 0) : this.path.length;
    const each = (node) => (node.a ? [node] : this.turnsOf(node));
    const laid = [...this.reach(level).values()].flatMap(each);
    const ghosts = laid.filter(({ g }) => g?.symbol && !this.isLaid(g.id)).map((node) => ({ ...node.g, label: turnSaid(node) }));
    const found = new Map(ghosts.map((ghost) => [`${ghost.symbol} ${ghost.turn ?? 0}`, ghost]));
    return [...found.values()].sort((one, other) => (one.turn ?? 0) - (other.turn ?? 0));
  }

  take(node) {
    this.steps.push(this.path.length);
    this.path.push(node);
    this.turns = this.turnsOf(node);
    while (!this.token && (this.turns.length || this.at.k?.length === 1)) {
      this.path.push(this.at.k[0]);
    }
  }

  /* Turns the piece being laid. */
  turn(by) {
    const { turns } = this;
    if (turns.length) {
      this.path.push(turns[(turns.indexOf(this.path.pop()) + by + turns.length) % turns.length]);
    }
  }

  back() {
    if (!this.steps.length) {
      return false;
    }
    this.path.length = this.steps.pop();
    this.turns = [];
    return true;
  }

  /* Steps back to the last point from which a target can be touched. :returns: whether there is one. */
  backTo(target) {
    const step = this.steps.findLastIndex((level) => this.reach(level).has(target));
    if (step < 0) {
      return false;
    }
    this.path.length = this.steps[step];
    this.steps.length = step;
    this.turns = [];
    return true;
  }

  clear() {
    this.path = [];
    this.steps = [];
    this.turns = [];
  }

  /* Follows the touches that several actions have in common; a single action is followed to its end. */
  goTo(ends) {
    this.clear();
    const [first, ...others] = ends.map(({ route }) => route);
    first?.every((node, at) => {
      const common = others.every((route) => route[at] === node);
      if (common && this.path.at(-1) !== node) {
        this.steps.push(at);
        this.path.push(node);
        this.turns = this.turnsOf(node);
      }
      return common;
    });
    const turned = this.turns.indexOf(this.path.at(-1));
    if (turned >= 0) {
      this.steps.pop();
    } else if (this.turns.length) {
      this.path.push(this.turns[0]);
    }
  }

  /* Every legal action, once: its token, its sentence, the route that spells it. */
  get ends() {
    if (!this.found) {
      const found = new Map();
      const walk = (nodes, before) =>
        nodes.forEach((node) => {
          const route = [...before, node];
          if (node.a && !found.has(node.a)) {
            found.set(node.a, { token: node.a, sentence: node.c ?? sentenceOf(route), route });
          }
          walk(node.k ?? [], route);
        });
      walk(this.root.k, []);
      this.found = [...found.values()];
    }
    return this.found;
  }

  /* The legal actions that continue the current path; while a piece is being laid, also those that turn it. */
  get endsHere() {
    const path = this.turns.length ? this.path.slice(0, -1) : this.path;
    return path.length ? this.ends.filter(({ route }) => path.every((node, at) => route[at] === node)) : this.ends;
  }

  /* The legal actions a text may mean: their tokens start with it, or their sentences contain its words. */
  endsFor(text) {
    const sought = text.trim().toLowerCase();
    const by = (isMeant) => this.ends.filter(isMeant);
    const attempts = [
      ({ token }) => token.startsWith(text.trim()),
      ({ token }) => token.toLowerCase().startsWith(sought),
      ({ token, sentence }) => sought.split(/\s+/).every((word) => `${token} ${sentence}`.toLowerCase().includes(word)),
    ];
    return attempts.reduce((found, attempt) => (found.length ? found : by(attempt)), []);
  }

  /* Whether any action involves a choice. */
  get hasChoices() {
    const below = (nodes) => nodes.some(({ k = [] }) => k.some(isChoice) || below(k));
    return below(this.root.k);
  }

  /* The choice at the root written as a single character, such as the end of a turn. */
  choiceBySign(sign) {
    return this.root.k.find((node) => isChoice(node) && node.a === sign) ?? null;
  }
}

/* What a way to turn is called; where only one fits, its place and it are one touch: "at 1,2 – as NS". */
function turnSaid(node) {
  return isChoice(node) ? node.s : node.s.split(" – ").at(-1);
}

/* Whether a touch means nothing yet: which of several things it means is the next touch. */
function isQuestion({ a, p, g, k = [] }) {
  return !a && !p && !g && k.length > 1 && k.every((node) => isChoice(node) && node.p && !node.g?.symbol);
}

function sentenceOf(route) {
  return route.filter((node) => !isQuestion(node)).map((node) => node.s).filter(Boolean).join(", ");
}

/* Touches ahead of an answer: what is touched while an action is being done is touched once its answer is there.

   Where every action can be undone (data-goes-on on the root) and need not be confirmed, touching what begins another
   action also does the one that is chosen.

   new Ahead(board)
     .takes(target)   whether a touch has to wait, and keeps it
     .go()            touches what waits; .forget() does not */
export class Ahead {
  constructor(board) {
    this.board = board;
    this.waiting = [];
  }

  takes(target) {
    const { board } = this;
    const goesOn = this.goesOn(target);
    if (board.busy || goesOn) {
      this.waiting.push(target);
      goesOn && board.confirm();
    }
    return Boolean(board.busy);
  }

  goesOn(target) {
    const { root, busy, confirms, spelling } = this.board;
    const { token, path, at } = spelling;
    const isIn = (nodes = []) => nodes.some(({ t }) => t === target);
    const begins = path[0]?.t !== target && isIn(spelling.root.k) && !isIn(at.k);
    return "goesOn" in root.dataset && !busy && !confirms && Boolean(token) && begins;
  }

  go() {
    const { board } = this;
    while (this.waiting.length && !board.busy) {
      const target = this.waiting.shift();
      const { root, at } = board.spelling;
      const choice = [...(at.k ?? []), ...root.k].find((node) => node.t === target && isChoice(node));
      choice ? board.take(choice) : board.touch(target);
    }
  }

  forget() {
    this.waiting = [];
  }
}
