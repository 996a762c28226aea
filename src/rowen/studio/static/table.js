/** What will be extracted, as a grid: linked with the pages, corrected in place. */
import { fillChanged, find, h } from "./dom.js";
import { spansOf } from "./records.js";

const SHOWN_ROWS = 80;
const SHOWN_CHARACTERS = 300;

export class RecordTable {
  /**
   * @param {HTMLElement} container
   * @param {{select(cell), edit(cell, text), drop(cell)}} does  a cell: {page, at, field}
   */
  constructor(container, does) {
    this.container = container;
    this.does = does;
    this.first = 0;
    this.rows = [];
    this.editing = false;
    /** The elements of rows that are shown, by what they show. */
    this.made = new Map();
    this.empty = h("p", { class: "empty" });
    this.head = h("thead", { role: "rowgroup" });
    this.body = h("tbody", { role: "rowgroup" });
    this.grid = h("table", { role: "grid", "aria-label": "Records" }, this.head, this.body);
    this.further = [-1, 1].map((way) =>
      h("button", { type: "button", class: "link more-rows", "data-key": `rows ${way}`, onclick: () => this.#turn(way) }),
    );
    container.append(this.empty, this.further[0], this.grid, this.further[1]);
  }

  /**
   * @param {{page: string, row: Row, conflict: boolean}[]} rows
   * @param {{fields, cursor, named: boolean, textOf(page), empty: string}} look
   */
  show(rows, look) {
    Object.assign(this, { rows, look });
    if (this.editing) return;
    const current = this.#current();
    if (current < this.first || current >= this.first + SHOWN_ROWS) {
      this.first = Math.max(0, current - SHOWN_ROWS / 2);
    }
    this.first = Math.min(this.first, Math.max(0, rows.length - SHOWN_ROWS));
    this.#draw();
  }

  /** Put the focus on the current cell. */
  focus() {
    const { cursor } = this.look;
    if (cursor) find(this.container, key(cursor))?.focus();
  }

  /** Bring the current cell into sight. */
  reveal() {
    const { cursor } = this.look;
    if (cursor) find(this.container, key(cursor))?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Whether the focus is on a cell. */
  get focused() {
    return this.container.contains(document.activeElement) && Boolean(document.activeElement.closest("[role=grid]"));
  }

  /** Correct the current value by typing what it is. */
  edit() {
    const { cursor } = this.look;
    if (cursor?.field) this.#edit(cursor);
  }

  #current() {
    const { cursor } = this.look;
    if (!cursor) return -1;
    return this.rows.findIndex(({ page, row }) => page === cursor.page && row.start === cursor.at);
  }

  #draw() {
    const { rows, look, empty, grid } = this;
    empty.textContent = look.empty;
    empty.hidden = rows.length > 0;
    grid.hidden = !rows.length;
    grid.setAttribute("aria-rowcount", rows.length + 1);
    grid.setAttribute("aria-colcount", look.fields.length + 3);
    fillChanged(this.head, [look.fields, look.named], () => this.#head());
    this.#drawRows(rows.slice(this.first, this.first + SHOWN_ROWS));
    this.#drawFurther(this.further[0], this.first, "earlier");
    this.#drawFurther(this.further[1], rows.length - this.first - SHOWN_ROWS, "further");
  }

  /** Make the rows that are new, and put all into their places: those that stay are not touched. */
  #drawRows(shown) {
    const current = this.#current();
    const before = this.made;
    this.made = new Map();
    const elements = shown.map((one, place) => {
      const known = before.get(one.row);
      const text = this.look.textOf(one.page);
      const same = known && known.conflict === one.conflict && known.text === text && known.fields === this.look.fields && known.named === this.look.named;
      const element = same ? known.element : this.#row(one);
      this.made.set(one.row, { ...one, text, fields: this.look.fields, named: this.look.named, element });
      this.#place(element, one, this.first + place, current);
      return element;
    });
    const focused = this.body.contains(document.activeElement) ? document.activeElement.closest("[data-key]")?.dataset.key : null;
    const kept = new Set(elements);
    for (const element of [...this.body.children]) if (!kept.has(element)) element.remove();
    let next = this.body.firstChild;
    for (const element of elements) {
      if (element === next) next = next.nextSibling;
      else this.body.insertBefore(element, next);
    }
    if (focused && !this.body.contains(document.activeElement)) find(this.body, focused)?.focus({ preventScroll: true });
  }

  #drawFurther(button, hidden, where) {
    button.hidden = hidden <= 0;
    button.textContent = `${hidden.toLocaleString("en")} ${where} records`;
  }

  #turn(way) {
    this.first = Math.max(0, Math.min(this.rows.length - SHOWN_ROWS, this.first + way * (SHOWN_ROWS - 10)));
    this.#draw();
  }

  #head() {
    const { fields, named } = this.look;
    return h(
      "tr",
      { role: "row", "aria-rowindex": 1 },
      h("th", { role: "columnheader", scope: "col", class: "number" }, "#"),
      named && h("th", { role: "columnheader", scope: "col" }, "page"),
      fields.map((field, number) =>
        h(
          "th",
          { role: "columnheader", scope: "col" },
          h("span", { class: "dot", style: { "--color": `var(--field-${number % 9})` } }),
          field,
        ),
      ),
      h("th", { role: "columnheader", scope: "col", class: "tools" }, h("span", { class: "hidden" }, "delete")),
    );
  }

  #row({ page, row }) {
    const { fields, named } = this.look;
    const cell = (field) => ({ page, at: row.start, field });
    const head = cell(null);
    return h(
      "tr",
      { role: "row" },
      h("th", { role: "rowheader", scope: "row", class: "number", "data-key": key(head), onclick: () => this.does.select(head) }),
      named && h("td", { role: "gridcell", class: "page" }, page),
      fields.map((field, place) => this.#cell(cell(field), row, place)),
      h(
        "td",
        { role: "gridcell", class: "tools" },
        h(
          "button",
          { type: "button", class: "quiet", tabIndex: -1, title: "Delete this record (Shift+Delete)", onclick: () => this.does.drop(head) },
          "×",
        ),
      ),
    );
  }

  /** Tell of a row where it stands, and where the cursor is. */
  #place(element, { row, conflict }, number, current) {
    const { cursor, fields, named } = this.look;
    const origin = row.index < 0 ? "proposed" : "marked";
    const here = number === current;
    const stop = current < 0 ? number === 0 : here;
    const head = element.firstChild;
    const said = String(number + 1);
    if (head.textContent !== said) head.textContent = said;
    set(element, "class", `${origin}${conflict ? " conflict" : ""}${here ? " current" : ""}`);
    set(element, "aria-rowindex", number + 2);
    set(element, "aria-selected", here);
    set(head, "aria-label", `Record ${said}, ${origin}${conflict ? ", contradicts others" : ""}`);
    set(head, "tabindex", stop && !cursor?.field ? 0 : -1);
    set(element.lastChild.firstChild, "aria-label", `Delete record ${said}`);
    fields.forEach((field, place) => {
      const cell = element.children[place + (named ? 2 : 1)];
      const at = stop && cursor?.field === field;
      if (cell.classList.contains("at") !== at) cell.classList.toggle("at", at);
      set(cell, "tabindex", at ? 0 : -1);
    });
  }

  #cell(cell, row, place) {
    const value = row.record[cell.field];
    const kind = value === undefined ? "unknown" : value === null ? `missing ${row.kinds[cell.field]}` : row.kinds[cell.field];
    const text = this.#text(cell.page, value);
    const said = value === undefined ? "unknown" : value === null ? "missing" : null;
    return h(
      "td",
      {
        role: "gridcell",
        class: kind,
        style: { "--color": `var(--field-${place % 9})` },
        "data-key": key(cell),
        title: text.length > 40 ? text : null,
        onclick: () => this.does.select(cell),
        ondblclick: () => this.#edit(cell),
      },
      said ? h("span", { class: "said" }, said === "unknown" ? "–" : said) : text || "…",
    );
  }

  #text(page, value) {
    const source = value && this.look.textOf(page);
    if (!source) return "";
    const told = spansOf(value).map(([start, end]) => source.slice(start, end).replace(/\s+/g, " "));
    return told.join(" · ").slice(0, SHOWN_CHARACTERS);
  }

  #edit(cell) {
    const place = find(this.container, key(cell)); // drawn anew since it was clicked
    const { row } = this.rows.find(({ page, row }) => page === cell.page && row.start === cell.at) ?? {};
    if (!place || !row || this.editing) return;
    const before = this.#text(cell.page, row.record[cell.field]);
    this.editing = true;
    const end = (text) => {
      if (!this.editing) return;
      this.editing = false;
      this.made.delete(row); // its element has the input
      this.#draw();
      this.focus();
      if (text && text !== before) this.does.edit(cell, text);
    };
    const input = h("input", {
      value: before,
      class: "editing",
      "aria-label": `${cell.field}: type the text as it stands on the page`,
      onblur: () => end(null),
      onkeydown: (event) => {
        if (event.key === "Enter") end(input.value.trim());
        else if (event.key === "Escape") end(null);
        else if (event.key !== "Tab") return event.stopPropagation();
        event.preventDefault();
        return event.stopPropagation();
      },
    });
    place.replaceChildren(input);
    input.select();
  }
}

function key({ page, at, field }) {
  return JSON.stringify([page, at, field]);
}

function set(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}
