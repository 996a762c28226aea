/** Pointing at the page: outlines what a click would mark, says for which field, and lights up the rows like it. */
import { fill, h } from "./dom.js";
import { Marks } from "./marks.js";
import { spansOf } from "./records.js";

/** The box stays this long after the mouse has left the page, so that it can reach the choices, in milliseconds. */
const LINGER = 250;
const MARGIN = 3;
/** So many values before and after what is pointed at light up: more than a window shows, and drawn at once. */
const NEAR = 1500;

export class Pointer {
  /** @param {HTMLElement} container  lies over the views @param {import("./desk.js").Desk} desk */
  constructor(container, desk) {
    this.container = container;
    this.desk = desk;
    this.box = h("div", { class: "pointed-box", "aria-hidden": "true" });
    this.label = h("div", { class: "pointed-label", role: "toolbar", "aria-label": "What a click marks" });
    this.label.addEventListener("pointerenter", () => clearTimeout(this.leaving));
    this.label.addEventListener("pointerleave", () => this.leave());
    container.append(this.box, this.label);
    this.reset();
  }

  /** Forget everything: another project or page is shown. */
  reset() {
    this.target = null;
    this.kind = null;
    /** The number of a table whose card the mouse is at. */
    this.table = null;
    /** The field that a person has chosen for the next click. */
    this.field = null;
    this.picked = false;
    this.draw();
  }

  /** The mouse is at a target, or at nothing. */
  point(target) {
    clearTimeout(this.leaving);
    if (!this.desk.session || (!target && !this.target)) return;
    const before = this.option?.span;
    this.target = target;
    this.kind = null;
    if (String(before) === String(this.option?.span) && this.target) return this.draw();
    this.draw();
    this.desk.paint();
  }

  /** The mouse has left the page; it may be on its way to the choices. */
  leave() {
    clearTimeout(this.leaving);
    this.leaving = setTimeout(() => this.point(null), LINGER);
  }

  /** Choose the field for the next click; null: the first that the record lacks. */
  choose(field) {
    this.field = this.field === field ? null : field;
    this.desk.draw();
  }

  /** Light up a suggested table, or none. */
  hover(table) {
    this.table = table;
    this.desk.paint();
  }

  /** What a click would mark. */
  get option() {
    if (!this.target) return null;
    const { options, chosen } = this.target;
    return options.find(({ kind }) => kind === this.kind) ?? options[chosen];
  }

  /** Go on to the next choice: text, link, image, date. */
  turn() {
    if (!this.target) return;
    const { options } = this.target;
    this.#choose(options[(options.indexOf(this.option) + 1) % options.length].kind);
  }

  #choose(kind) {
    this.kind = kind;
    this.draw();
    this.desk.paint();
  }

  /** Mark a target, or what is pointed at; for a field, or for the one that is next. */
  pick(target = this.target, field = null) {
    this.target = target;
    const { option } = this;
    this.picked = false;
    if (!option) return false;
    this.picked = true;
    if (field) this.desk.edits.mark(field, option.span);
    else this.desk.edits.markNext(option, this.field);
    Object.assign(this, { field: null, kind: null, target: null });
    this.draw();
    return true;
  }

  /** A double click selects a word: what its first click has marked was not meant. */
  repeat() {
    if (this.picked) this.desk.edits.history("undo");
    this.picked = false;
  }

  /** The rows like what is pointed at, or those of a table, as marks on the page. */
  hints() {
    const { desk, option } = this;
    const { page } = desk;
    if (this.table !== null) return this.#hintsOf(this.table, null, desk.view.topOffset());
    if (!option || isTaken(desk.rows(page), option.span)) return [];
    const at = desk.tables.columnAt(page, option.span);
    return at ? this.#hintsOf(at.table, at.column, option.span[0], desk.rows(page).length > 0) : [];
  }

  /** The values of a table near an offset; if `alone`, only those of a column. */
  #hintsOf(table, column, offset, alone = false) {
    const { desk } = this;
    const columns = desk.tables.list[table]?.columns.map(({ name }) => name) ?? [];
    return desk.tables
      .valuesNear(desk.page, table, offset, NEAR)
      .filter((value) => !alone || value.column === column)
      .map(({ start, end, column: name }) => ({
        id: JSON.stringify(["hint", name, start]), start, end,
        color: Math.max(0, columns.indexOf(name)) % 9, kind: name === column ? "column" : "hint", current: false,
      }));
  }

  draw() {
    const { target, option, desk, box, label, container } = this;
    container.hidden = !target || !desk.session || Boolean(desk.selection) || !this.#choices().length;
    if (container.hidden) return;
    const frame = desk.view.box;
    const outer = container.parentElement.getBoundingClientRect();
    const left = frame.left - outer.left + target.box.left - MARGIN;
    const top = frame.top - outer.top + target.box.top - MARGIN;
    const next = desk.edits.nextField(option, this.field);
    const number = desk.state.fields.indexOf(next);
    const color = `var(--field-${(number < 0 ? desk.state.fields.length : number) % 9})`;
    place(box, { left, top, width: target.box.width + 2 * MARGIN, height: target.box.height + 2 * MARGIN });
    box.style.setProperty("--color", color);
    label.style.setProperty("--color", color);
    const choices = this.#choices();
    fill(
      label,
      h("span", { class: "pointed-field" }, next),
      (choices.length > 1 || !choices.includes(option)) && choices.map(({ kind }) => this.#kindButton(kind)),
    );
    const height = label.offsetHeight;
    // Above what it belongs to and touching it, so that the mouse reaches it without crossing other elements.
    const above = top - height;
    place(label, { left: Math.max(0, Math.min(left, frame.right - outer.left - label.offsetWidth)), top: above >= 0 ? above : top + target.box.height + 2 * MARGIN });
  }

  /** What could be marked of the target: all that no record has yet. */
  #choices() {
    const rows = this.desk.rows(this.desk.page);
    return this.target.options.filter(({ span }) => !isTaken(rows, span));
  }

  #kindButton(kind) {
    const chosen = this.option.kind === kind;
    return h(
      "button",
      {
        type: "button",
        "aria-pressed": String(chosen),
        title: chosen ? "A click on the page marks this" : `Mark the ${kind} instead (X goes through the choices)`,
        onclick: () => (this.#choose(kind), this.pick()),
      },
      kind,
    );
  }
}

/** The values of rows by their places; unchanged rows are the same array. */
const valuesByRows = new WeakMap();

/** Whether a record has a value at a span. */
function isTaken(rows, [start, end]) {
  let values = valuesByRows.get(rows);
  if (!values) {
    values = new Marks(rows.flatMap(({ record }) => Object.values(record).flatMap((value) => spansOf(value).map(([first, last]) => ({ start: first, end: last })))));
    valuesByRows.set(rows, values);
  }
  return !values.within(start, end).next().done;
}

function place(element, box) {
  for (const [name, pixels] of Object.entries(box)) element.style.setProperty(name, `${Math.round(pixels)}px`);
}
