/** The records that will be extracted, as a grid: linked with the pages, and corrected in place. */
import { fillChanged, find, h } from "./dom.js";
import { spansOf } from "./records.js";

/** More rows would make each change slow to draw; buttons lead to the earlier and later ones. */
const SHOWN_ROWS = 80;
const SHOWN_CHARACTERS = 300;

export class RecordTable {
  /**
   * @param {HTMLElement} container
   * @param {{select(cell), edit(cell, text), drop(cell), setType(field, type)}} callbacks  a cell: {page, at, field}
   */
  constructor(container, callbacks) {
    this.container = container;
    this.callbacks = callbacks;
    this.first = 0;
    this.rows = [];
    this.editing = false;
    /** The elements of the rows that are shown, and what they show, by row. */
    this.elements = new Map();
    this.empty = h("p", { class: "empty" });
    this.head = h("thead", { role: "rowgroup" });
    this.body = h("tbody", { role: "rowgroup" });
    this.grid = h("table", { role: "grid", "aria-label": "Records" }, this.head, this.body);
    this.further = [-1, 1].map((direction) =>
      h("button", { type: "button", class: "link more-rows", "data-key": `rows ${direction}`, onclick: () => this.#turn(direction) }),
    );
    container.append(this.empty, this.further[0], this.grid, this.further[1]);
  }

  /**
   * @param {{page: string, row: Row, conflict: boolean}[]} rows
   * @param {{fields, types, suggested, typeNames, cursor, named: boolean, textOf(page), readings, empty: string}} options
   */
  show(rows, options) {
    Object.assign(this, { rows, options });
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
    const { cursor } = this.options;
    if (cursor) find(this.container, key(cursor))?.focus();
  }

  /** Scroll to the current cell. */
  reveal() {
    const { cursor } = this.options;
    if (cursor) find(this.container, key(cursor))?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Whether the focus is on a cell. */
  get focused() {
    return this.container.contains(document.activeElement) && Boolean(document.activeElement.closest("[role=grid]"));
  }

  /** Edit the current value. */
  edit() {
    const { cursor } = this.options;
    if (cursor?.field) this.#edit(cursor);
  }

  #current() {
    const { cursor } = this.options;
    if (!cursor) return -1;
    return this.rows.findIndex(({ page, row }) => page === cursor.page && row.start === cursor.at);
  }

  #draw() {
    const { rows, options, empty, grid } = this;
    empty.textContent = options.empty;
    empty.hidden = rows.length > 0;
    grid.hidden = !rows.length;
    grid.setAttribute("aria-rowcount", rows.length + 1);
    grid.setAttribute("aria-colcount", options.fields.length + 3);
    fillChanged(this.head, [options.fields, options.named, options.types, options.suggested], () => this.#head());
    this.#drawRows(rows.slice(this.first, this.first + SHOWN_ROWS));
    this.#drawFurther(this.further[0], this.first, "earlier");
    this.#drawFurther(this.further[1], rows.length - this.first - SHOWN_ROWS, "further");
  }

  /** Create the new rows and put all into their places. Unchanged rows are not touched, which keeps drawing fast. */
  #drawRows(shown) {
    const current = this.#current();
    const before = this.elements;
    this.elements = new Map();
    const elements = shown.map((item, place) => {
      const drawn = before.get(item.row);
      const text = this.options.textOf(item.page);
      const version = this.options.readings.version(item.page);
      const { fields, named, types } = this.options;
      const isSame = drawn && drawn.conflict === item.conflict && drawn.text === text && drawn.version === version && drawn.fields === fields && drawn.named === named && drawn.types === types;
      const element = isSame ? drawn.element : this.#row(item);
      this.elements.set(item.row, { ...item, text, version, fields, named, types, element });
      this.#place(element, item, this.first + place, current);
      return element;
    });
    const focused = this.body.contains(document.activeElement) ? document.activeElement.closest("[data-key]")?.dataset.key : null;
    const drawnNow = new Set(elements);
    for (const element of [...this.body.children]) if (!drawnNow.has(element)) element.remove();
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

  #turn(direction) {
    this.first = Math.max(0, Math.min(this.rows.length - SHOWN_ROWS, this.first + direction * (SHOWN_ROWS - 10)));
    this.#draw();
  }

  #head() {
    const { fields, named } = this.options;
    return h(
      "tr",
      { role: "row", "aria-rowindex": 1 },
      h("th", { role: "columnheader", scope: "col", class: "number" }, "#"),
      named && h("th", { role: "columnheader", scope: "col" }, "page"),
      fields.map((field, number) =>
        h(
          "th",
          { role: "columnheader", scope: "col", "data-field": field },
          h("span", { class: "dot", style: { "--color": `var(--field-${number % 9})` } }),
          field,
          this.#typeChoice(field),
        ),
      ),
      h("th", { role: "columnheader", scope: "col", class: "tools" }, h("span", { class: "hidden" }, "delete")),
    );
  }

  /** The type of a column, to be changed; if the marked values look like another one, that is offered. */
  #typeChoice(field) {
    const { types, suggested, typeNames } = this.options;
    const type = types[field] ?? "text";
    const offer = types[field] === undefined ? suggested[field] : undefined;
    return h(
      "span",
      { class: "type" },
      h(
        "select",
        { "aria-label": `Type of ${field}`, "data-key": `type ${field}`, onchange: (event) => this.callbacks.setType(field, event.target.value) },
        typeNames.map((name) => h("option", { value: name, selected: name === type }, name)),
      ),
      offer && h("button", { type: "button", class: "offer", "data-key": `offer ${field}`, title: `All marked values are of the type ${offer}: read them as such`, onclick: () => this.callbacks.setType(field, offer) }, `${offer}?`),
    );
  }

  #row({ page, row }) {
    const { fields, named } = this.options;
    const cell = (field) => ({ page, at: row.start, field });
    const head = cell(null);
    return h(
      "tr",
      { role: "row" },
      h("th", { role: "rowheader", scope: "row", class: "number", "data-key": key(head), onclick: () => this.callbacks.select(head) }),
      named && h("td", { role: "gridcell", class: "page" }, page),
      fields.map((field, place) => this.#cell(cell(field), row, place)),
      h(
        "td",
        { role: "gridcell", class: "tools" },
        h(
          "button",
          { type: "button", class: "quiet", tabIndex: -1, title: "Delete this record (Shift+Delete)", onclick: () => this.callbacks.drop(head) },
          "×",
        ),
      ),
    );
  }

  /** Show a row's number, its origin, and whether the cursor is on it. */
  #place(element, { row, conflict }, number, current) {
    const { cursor, fields, named } = this.options;
    const origin = row.index < 0 ? "proposed" : "marked";
    const here = number === current;
    const stop = current < 0 ? number === 0 : here;
    const head = element.firstChild;
    const label = String(number + 1);
    if (head.textContent !== label) head.textContent = label;
    set(element, "class", `${origin}${conflict ? " conflict" : ""}${here ? " current" : ""}`);
    set(element, "aria-rowindex", number + 2);
    set(element, "aria-selected", here);
    set(head, "aria-label", `Record ${label}, ${origin}${conflict ? ", contradicts others" : ""}`);
    set(head, "tabindex", stop && !cursor?.field ? 0 : -1);
    set(element.lastChild.firstChild, "aria-label", `Delete record ${label}`);
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
    const type = this.options.types[cell.field] ?? "text";
    const { text, wrong } = this.#reading(cell.page, value, type);
    const placeholder = value === undefined ? "–" : value === null ? "missing" : null;
    return h(
      "td",
      {
        role: "gridcell",
        class: wrong ? `${kind} wrong` : kind,
        style: { "--color": `var(--field-${place % 9})` },
        "data-key": key(cell),
        title: wrong ? `This is not of the type ${type}: ${wrong}` : this.#title(cell.page, value, text),
        onclick: () => this.callbacks.select(cell),
        ondblclick: () => this.#edit(cell),
      },
      placeholder ? h("span", { class: "said" }, placeholder) : text || "…",
    );
  }

  /** A value as data of a type, and why it is not of the type, if it is not. */
  #reading(page, value, type) {
    const source = value && this.options.textOf(page);
    if (!source) return { text: "", wrong: null };
    const readings = spansOf(value).map((span) => this.options.readings.typed(page, source, span, type));
    return {
      text: readings.map(({ text }) => text).join(" · ").slice(0, SHOWN_CHARACTERS),
      wrong: readings.find(({ wrong }) => wrong)?.wrong ?? null,
    };
  }

  /** A long text in full and, where it differs, the page's own source. */
  #title(page, value, text) {
    const source = value && this.options.textOf(page);
    const written = source ? spansOf(value).map((span) => source.slice(...span)).join(" · ").slice(0, SHOWN_CHARACTERS) : text;
    if (written !== text) return `${text}\n\nIn the source: ${written}`;
    return text.length > 40 ? text : null;
  }

  #edit(cell) {
    const place = find(this.container, key(cell)); // the first click of a double click has drawn it again
    const { row } = this.rows.find(({ page, row }) => page === cell.page && row.start === cell.at) ?? {};
    if (!place || !row || this.editing) return;
    const before = this.#reading(cell.page, row.record[cell.field], "text").text; // as it is on the page
    this.editing = true;
    const end = (text) => {
      if (!this.editing) return;
      this.editing = false;
      this.elements.delete(row); // its element contains the input: draw it again
      this.#draw();
      this.focus();
      if (text && text !== before) this.callbacks.edit(cell, text);
    };
    const input = h("input", {
      value: before,
      class: "editing",
      "aria-label": `${cell.field}: type the text as it is on the page`,
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
