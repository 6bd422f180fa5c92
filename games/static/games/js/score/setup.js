/** Chooses the game: edition, players, colours, cards, date. Only seatings that the rules allow can be chosen.
 *
 * <form data-setup>
 *   <select data-choose-game> <select data-choose-edition> <select data-choose-count>
 *   <ol data-seats></ol>      <template data-seat-row> with <select data-colour> and <input data-name>
 *   <p data-deck-field hidden><select data-choose-deck></p>  <input data-date>  <input data-event>
 * </form>                    data-site, data-members: this site, and the accounts of the club the sheet is for
 *
 * new SetUp(form, {rulesets, texts, onChange(draft)}) */

import { redraw } from "../redraw.js";
import * as agn from "./agn.js";

const NAME_LENGTH = 64;

export class SetUp {
  constructor(form, options) {
    this.form = form;
    this.options = options;
    this.part = (name) => form.querySelector(`[data-${name}]`);
    const games = [...new Set(options.rulesets.map(({ game }) => game))];
    this.part("choose-game").replaceChildren(...games.map((game) => new Option(game, game)));
    form.addEventListener("input", (event) => this.changed(event.target));
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** The draft a new sheet begins with: the first game, its smallest table, no names. */
  fresh() {
    const now = new Date();
    const two = (number) => String(number).padStart(2, "0");
    const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
    return this.of(this.options.rulesets[0], { date, event: "", names: {} });
  }

  /** A draft for a ruleset, keeping what it can of another draft. */
  of(ruleset, { date, event, names }, letters = ruleset.seatings[0]) {
    const seats = letters.map((letter) => ({ letter, name: names[letter] ?? "" }));
    return { slug: ruleset.slug, seats, names, deck: "", date, event, laid: {} };
  }

  ruleset(draft) {
    return this.options.rulesets.find(({ slug }) => slug === draft.slug);
  }

  /** Shows a draft, or the tags of a record, of which names, date and event can still be changed. */
  show(draft, open = this.open) {
    this.draft = draft;
    this.open = open;
    this.part("setup-game").hidden = this.part("setup-acts").hidden = !open;
    const ruleset = this.ruleset(draft);
    this.part("choose-game").value = ruleset.game;
    const editions = this.options.rulesets.filter(({ game }) => game === ruleset.game);
    this.part("choose-edition").replaceChildren(...editions.map(({ edition, slug }) => new Option(edition, slug)));
    this.part("choose-edition").value = draft.slug;
    this.part("edition-field").hidden = editions.length < 2;
    const counts = [...new Set(ruleset.seatings.map((letters) => letters.length))];
    this.part("choose-count").replaceChildren(...counts.map((count) => new Option(count, count)));
    this.part("choose-count").value = draft.seats.length;
    this.part("count-field").hidden = counts.length < 2;
    this.part("date").value = draft.date;
    this.part("event").value = draft.event;
    this.drawSeats(ruleset);
  }

  /** The draft with what has been laid out. */
  lay(laid) {
    this.draft = { ...this.draft, laid };
    return this.draft;
  }

  /** Offers the decks that the server allows for a game; a list that may be open stays if it has the same ones. */
  offerDecks(decks) {
    this.part("deck-field").hidden = decks.length < 2;
    redraw(this.part("choose-deck"), decks.map(({ value, label }) => new Option(label, value)));
    this.part("choose-deck").value = this.draft.deck || decks[0]?.value || "";
  }

  drawSeats(ruleset) {
    const { seats } = this.draft;
    const rows = seats.map(({ letter, name }, number) => {
      const row = this.part("seat-row").content.firstElementChild.cloneNode(true);
      const before = seats.slice(0, number).map((seat) => seat.letter);
      const colour = row.querySelector("[data-colour]");
      const allowed = ruleset.seats.filter((seat) => this.fits(ruleset, [...before, seat.letter], seats.length));
      colour.replaceChildren(...allowed.map((seat) => new Option(seat.label, seat.letter)));
      colour.value = letter;
      colour.dataset.number = number;
      colour.disabled = allowed.length < 2 || !this.open;
      colour.setAttribute("aria-label", this.options.texts.colourOf.replace("{n}", number + 1));
      const field = row.querySelector("[data-name]");
      field.value = name;
      field.maxLength = NAME_LENGTH;
      field.dataset.number = number;
      field.placeholder = this.options.texts.name;
      field.setAttribute("aria-label", this.options.texts.nameOf.replace("{n}", number + 1));
      const found = ruleset.seats.find((seat) => seat.letter === letter);
      const chip = row.querySelector(".chip");
      chip.textContent = letter;
      chip.className = `chip seat-${found.colour}`;
      return row;
    });
    this.part("seats").replaceChildren(...rows);
  }

  fits(ruleset, before, count) {
    return ruleset.seatings.some((letters) => letters.length === count && before.every((letter, at) => letters[at] === letter));
  }

  /** The allowed seating closest to the given one. */
  seating(ruleset, letters, count) {
    const distance = (line) => line.filter((letter, at) => letter !== letters[at]).length;
    const [best] = ruleset.seatings.filter((line) => line.length === count).sort((one, other) => distance(one) - distance(other));
    return best;
  }

  changed(field) {
    const { draft } = this;
    const names = { ...draft.names, ...Object.fromEntries(draft.seats.map(({ letter, name }) => [letter, name])) };
    if (field.matches("[data-name]")) {
      const seats = draft.seats.map((seat, at) => (at === Number(field.dataset.number) ? { ...seat, name: field.value } : seat));
      this.draft = { ...draft, seats };
    } else if (field.matches("[data-date]")) this.draft = { ...draft, date: field.value };
    else if (field.matches("[data-event]")) this.draft = { ...draft, event: field.value };
    else this.draft = this.chosen(field, { ...draft, names });
    if (!field.matches("input")) this.show(this.draft);
    this.options.onChange(this.draft);
  }

  chosen(field, draft) {
    const { rulesets } = this.options;
    if (field.matches("[data-choose-game]")) return this.of(rulesets.find(({ game }) => game === field.value), draft);
    const ruleset = field.matches("[data-choose-edition]") ? rulesets.find(({ slug }) => slug === field.value) : this.ruleset(draft);
    const letters = draft.seats.map(({ letter }) => letter);
    if (field.matches("[data-choose-count]")) return this.kept(ruleset, draft, this.seating(ruleset, letters, Number(field.value)));
    if (field.matches("[data-colour]")) return this.recoloured(ruleset, draft, Number(field.dataset.number), field.value);
    if (field.matches("[data-choose-deck]")) return { ...draft, deck: field.value, laid: {} };
    return this.kept(ruleset, draft, letters);
  }

  /** Keeps the names at their places at the table; a colour already taken is swapped. */
  recoloured(ruleset, draft, number, letter) {
    const wanted = draft.seats.map((seat) => seat.letter);
    const other = wanted.indexOf(letter);
    if (other >= 0) wanted[other] = wanted[number];
    wanted[number] = letter;
    const letters = this.seating(ruleset, wanted, wanted.length);
    return { ...draft, seats: letters.map((one, at) => ({ letter: one, name: draft.seats[at].name })) };
  }

  /** Keeps what has been laid when only the players change. */
  kept(ruleset, draft, letters) {
    return { ...this.of(ruleset, draft, letters), deck: draft.deck, laid: draft.laid };
  }

  /** The set-up given by the tags of a record. */
  ofText(text) {
    const said = (name) => agn.tag(text, name) ?? "";
    const ruleset = this.options.rulesets.find(({ game, edition }) => game === said("Game") && edition === said("Rules"));
    if (!ruleset) return { ...this.fresh(), seats: [] };
    const found = said("Seats").split(" ").map((letter) => ruleset.seats.find((seat) => seat.letter === letter));
    const date = said("Date");
    return {
      slug: ruleset.slug,
      seats: found.filter(Boolean).map(({ letter, tag }) => ({ letter, name: said(tag) })),
      names: {},
      deck: said("Deck"),
      date: /^\d{4}\.\d\d\.\d\d$/.test(date) ? date.replaceAll(".", "-") : "",
      event: said("Event"),
      laid: {},
    };
  }

  /** The players of a record with their colours. */
  seatsOf(text) {
    const draft = this.ofText(text);
    const { seats } = this.ruleset(draft);
    return draft.seats.map(({ letter, name }) => ({ letter, name, colour: seats.find((seat) => seat.letter === letter).colour }));
  }

  /** Where the names are used: at this site where all players are accounts of the club, so that they are the same players as
   * at tables here; otherwise it is not said. */
  siteOf({ seats }) {
    const { site = "", members = "[]" } = this.form.dataset;
    const accounts = JSON.parse(members);
    return seats.every(({ name }) => accounts.includes(agn.nameKey(name))) ? site : "";
  }

  /** A record with the names, the date and the event of a draft. */
  retagged(text, draft) {
    const ruleset = this.ruleset(draft);
    let tagged = text;
    for (const { letter, name } of draft.seats) tagged = agn.setTag(tagged, ruleset.seats.find((seat) => seat.letter === letter).tag, agn.nameKey(name));
    const event = agn.nameKey(draft.event);
    if (event || agn.tag(text, "Event")) tagged = agn.setTag(tagged, "Event", event);
    const [site, written] = [this.siteOf(draft), agn.tag(text, "Site") ?? ""];
    if (site !== written && (!written || written === this.form.dataset.site)) tagged = agn.setTag(tagged, "Site", site);
    return draft.date ? agn.setTag(tagged, "Date", draft.date.replaceAll("-", ".")) : tagged;
  }

  /** The tags of a record that begins with this set-up. */
  tags(draft, setup, deck) {
    const ruleset = this.ruleset(draft);
    const seats = draft.seats.map(({ letter, name }) => {
      const seat = ruleset.seats.find((one) => one.letter === letter);
      return [seat.tag, agn.nameKey(name) || seat.label];
    });
    const tags = {
      Game: ruleset.game,
      Rules: ruleset.edition,
      Seats: draft.seats.map(({ letter }) => letter).join(" "),
      ...Object.fromEntries(seats),
      Event: agn.nameKey(draft.event),
      Site: this.siteOf(draft),
      Date: draft.date.replaceAll("-", "."),
      Deck: deck,
      Setup: setup,
    };
    return agn.begin(tags, seats.map(([name]) => name));
  }
}
