/** What will be extracted, as a grid: linked with the pages, corrected in place. */
import { fill, find, h } from "./dom.js";
import { spansOf } from "./records.js";

const SHOWN_ROWS = 150;
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
    const { rows, look } = this;
    if (!rows.length) {
      fill(this.container, h("p", { class: "empty" }, look.empty));
      return;
    }
    const current = this.#current();
    const shown = rows.slice(this.first, this.first + SHOWN_ROWS);
    const left = this.container.firstChild?.scrollTop;
    const grid = h(
      "table",
      { role: "grid", "aria-label": "Records", "aria-rowcount": rows.length + 1, "aria-colcount": look.fields.length + 3 },
      h("thead", { role: "rowgroup" }, this.#head()),
      h("tbody", { role: "rowgroup" }, shown.map((one, place) => this.#row(one, this.first + place, current))),
    );
    fill(this.container, this.#more(-1), grid, this.#more(1));
    if (left) this.container.firstChild.scrollTop = left;
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

  #row({ page, row, conflict }, number, current) {
    const { fields, named, cursor } = this.look;
    const origin = row.index < 0 ? "proposed" : "marked";
    const cell = (field) => ({ page, at: row.start, field });
    const stop = current < 0 ? number === 0 : number === current;
    const head = cell(null);
    return h(
      "tr",
      {
        role: "row",
        class: `${origin}${conflict ? " conflict" : ""}${number === current ? " current" : ""}`,
        "aria-rowindex": number + 2,
        "aria-selected": String(number === current),
      },
      h(
        "th",
        {
          role: "rowheader",
          scope: "row",
          class: "number",
          "data-key": key(head),
          tabIndex: stop && !cursor?.field ? 0 : -1,
          "aria-label": `Record ${number + 1}, ${origin}${conflict ? ", contradicts others" : ""}`,
          onclick: () => this.does.select(head),
        },
        String(number + 1),
      ),
      named && h("td", { role: "gridcell", class: "page" }, page),
      fields.map((field, place) => this.#cell(cell(field), row, place, stop && cursor?.field === field)),
      h(
        "td",
        { role: "gridcell", class: "tools" },
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            tabIndex: -1,
            title: "Delete this record (Shift+Delete)",
            "aria-label": `Delete record ${number + 1}`,
            onclick: () => this.does.drop(head),
          },
          "×",
        ),
      ),
    );
  }

  #cell(cell, row, place, current) {
    const value = row.record[cell.field];
    const kind = value === undefined ? "unknown" : value === null ? `missing ${row.kinds[cell.field]}` : row.kinds[cell.field];
    const text = this.#text(cell.page, value);
    const said = value === undefined ? "unknown" : value === null ? "missing" : null;
    return h(
      "td",
      {
        role: "gridcell",
        class: `${kind}${current ? " at" : ""}`,
        style: { "--color": `var(--field-${place % 9})` },
        "data-key": key(cell),
        tabIndex: current ? 0 : -1,
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

  #more(way) {
    const hidden = way < 0 ? this.first : this.rows.length - this.first - SHOWN_ROWS;
    if (hidden <= 0) return null;
    const go = () => {
      this.first = Math.max(0, Math.min(this.rows.length - SHOWN_ROWS, this.first + way * (SHOWN_ROWS - 10)));
      this.#draw();
    };
    return h(
      "button",
      { type: "button", class: "link more-rows", "data-key": `rows ${way}`, onclick: go },
      `${hidden.toLocaleString("en")} ${way < 0 ? "earlier" : "further"} records`,
    );
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
