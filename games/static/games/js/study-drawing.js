/* Draws marks on a study's board with the pointer: on a cell, or as an arrow from one cell to another. Drawing the same
   mark again removes it. It sends the form for marks, which works without it, and knows places of cells, no game.

   drawing = new Drawing(study)
   .reveal()                 after the chapter was exchanged

   With the right button of a mouse at any time: Shift draws red, Alt blue, both yellow. With any pointer while
   [data-draw] is pressed. The colour is otherwise that of the form.

   #study-cells              JSON: {"size": distance between cells, "cells": {name: [x, y]}}, in the board's units
   form[data-mark]           the form, with the fields cell, to and colour
   [data-draw-help]          shown while [data-draw] is pressed */

import { svgElement } from "./scene.js";

const RIGHT = 2;
const NEAR = 0.6;
const COLOURS = { true: { true: "yellow", false: "red" }, false: { true: "blue" } };

export class Drawing {
  constructor(study) {
    this.study = study;
    this.isOn = false;
    const on = (name, act) => study.root.addEventListener(name, act);
    on("pointerdown", (event) => this.begin(event));
    on("pointermove", (event) => this.begun && this.move(event));
    on("pointerup", (event) => this.begun && this.end(event));
    on("pointercancel", () => this.cancel());
    on("contextmenu", (event) => event.target.closest?.("[data-drawn] svg") && (this.isOn || event.button === RIGHT) && event.preventDefault());
    on("change", (event) => event.target.id === "colour" && (this.colour = event.target.value));
    on("click", (event) => event.target.closest("[data-draw]") && this.toggle());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.cancel());
    this.reveal();
  }

  reveal() {
    const { study, isOn, colour } = this;
    const [button] = study.parts(["[data-draw]"]);
    button.hidden = Boolean(study.acting);
    button.setAttribute("aria-pressed", String(isOn));
    study.part("[data-draw-help]").hidden = !isOn || Boolean(study.acting);
    study.root.classList.toggle("is-drawing", isOn);
    colour && (study.part("#colour").value = colour);
  }

  toggle() {
    this.isOn = !this.isOn;
    this.reveal();
  }

  begin(event) {
    const svg = event.target.closest?.("[data-drawn] svg");
    const draws = event.button === RIGHT || (this.isOn && event.button === 0 && event.isPrimary);
    if (!svg || !draws) {
      return;
    }
    this.places = JSON.parse(this.study.part("#study-cells").textContent);
    const from = this.cellAt(svg, event);
    if (from) {
      event.preventDefault();
      svg.setPointerCapture(event.pointerId);
      this.begun = { from, to: from, pointer: event.pointerId, at: this.position() };
      this.preview(event);
    }
  }

  /* The answer to the mark before may have exchanged the board since. */
  move(event) {
    const { to, pointer, at } = this.begun;
    if (event.pointerId !== pointer) {
      return;
    }
    if (!event.buttons || at !== this.position()) {
      this.cancel();
      return;
    }
    const here = this.cellAt(this.board(), event);
    if (here && (here !== to || !this.drawn.isConnected)) {
      this.begun.to = here;
      this.preview(event);
    }
  }

  end(event) {
    const { from, to, pointer, at } = this.begun;
    if (event.pointerId === pointer) {
      const colour = this.colourOf(event);
      this.cancel();
      this.study.inTurn(() => at === this.position() && this.send(from, to === from ? "" : to, colour));
    }
  }

  board() {
    return this.study.part("[data-drawn] svg");
  }

  /* The position that is shown: a mark is lost if the reader moves on before it is stored. */
  position() {
    const { chapter, node } = this.study.part("[data-chapter]").dataset;
    return `${chapter} ${node}`;
  }

  cancel() {
    this.drawn?.remove();
    this.begun = this.drawn = null;
  }

  colourOf({ shiftKey, altKey }) {
    return COLOURS[shiftKey][altKey] ?? this.study.part("#colour").value;
  }

  /* The form is read now, because the mark before this one may have changed the version. */
  send(cell, to, colour) {
    const form = this.study.part("form[data-mark]");
    const body = new FormData(form);
    Object.entries({ act: "mark", cell, to, colour }).forEach(([name, value]) => body.set(name, value));
    return this.study.send(form.getAttribute("action"), body);
  }

  /* :returns: the name of the cell at a pointer, if it is near the middle of one. */
  cellAt(svg, { clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    const { size, cells } = this.places;
    const far = ([, [left, top]]) => Math.hypot(left - x, top - y);
    const [nearest] = Object.entries(cells).sort((one, other) => far(one) - far(other));
    return nearest && far(nearest) < NEAR * size ? nearest[0] : null;
  }

  preview(event) {
    const { from, to } = this.begun;
    const { size, cells } = this.places;
    const [[x, y], [endX, endY]] = [cells[from], cells[to]];
    const shape = from === to ? ["circle", { cx: x, cy: y, r: 0.42 * size }] : ["path", { d: `M${x} ${y}L${endX} ${endY}` }];
    this.drawn?.remove();
    this.drawn = svgElement("g", { class: `study-mark coming ${this.colourOf(event)}`, fill: "none" });
    for (const [name, width] of [["casing", 0.13], ["line", 0.075]]) {
      this.drawn.append(svgElement(shape[0], { ...shape[1], class: name, "stroke-width": width * size }));
    }
    this.board().append(this.drawn);
  }
}
