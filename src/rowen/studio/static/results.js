/** A table of many records: search, sort, filter, and pages of rows. */
import { counted, fill, h } from "./dom.js";

const SHOWN_ROWS = 100;

export class ResultTable {
  /** @param {HTMLElement} container */
  constructor(container) {
    this.container = container;
    this.sorting = null;
    this.first = 0;
    this.data = { fields: [], types: {}, rows: [] };
    this.search = h("input", { type: "search", placeholder: "Search the records", "aria-label": "Search the records", oninput: () => this.#restart() });
    this.filter = h(
      "select",
      { "aria-label": "Which records", onchange: () => this.#restart() },
      h("option", { value: "all" }, "All records"),
      h("option", { value: "unseen" }, "Not accepted yet"),
      h("option", { value: "missing" }, "With a missing value"),
      h("option", { value: "wrong" }, "With a value of another type"),
    );
    this.count = h("span", { role: "status", class: "quiet" });
    this.grid = h("div", { class: "scrolling", tabIndex: 0, role: "region", "aria-label": "Records" });
    this.further = h("p", { class: "line" });
    container.append(h("p", { class: "line" }, this.search, this.filter, this.count), this.grid, this.further);
  }

  /** @param {{fields: string[], types: object, rows: {page, accepted, values, wrong}[]}} data */
  show(data) {
    this.data = data;
    this.#draw();
  }

  #restart() {
    this.first = 0;
    this.#draw();
  }

  #draw() {
    const { fields, types } = this.data;
    const rows = sorted(this.#chosen(), this.sorting, types);
    const shown = rows.slice(this.first, this.first + SHOWN_ROWS);
    this.count.textContent = rows.length === this.data.rows.length ? counted(rows.length, "record") : `${rows.length.toLocaleString("en")} of ${counted(this.data.rows.length, "record")}`;
    fill(
      this.grid,
      h(
        "table",
        { class: "records" },
        h("thead", {}, h("tr", {}, ["page", ...fields].map((name, place) => this.#head(name, place === 0 ? null : name)))),
        h("tbody", {}, shown.map((row) => this.#row(row, fields))),
      ),
    );
    const step = (text, by, isPossible) => h("button", { type: "button", disabled: !isPossible, onclick: () => ((this.first += by * SHOWN_ROWS), this.#draw()) }, text);
    fill(
      this.further,
      rows.length > SHOWN_ROWS && [
        step("‹ Earlier", -1, this.first > 0),
        h("span", { class: "quiet" }, `${this.first + 1} to ${this.first + shown.length}`),
        step("Further ›", 1, this.first + SHOWN_ROWS < rows.length),
      ],
    );
  }

  #head(name, field) {
    const isSorted = this.sorting && this.sorting.field === field;
    const direction = isSorted ? (this.sorting.down ? "descending" : "ascending") : "none";
    return h(
      "th",
      { scope: "col", "aria-sort": direction },
      h("button", { type: "button", class: "sort", "data-key": `sort ${field ?? ""}`, onclick: () => this.#sort(field) }, name, isSorted ? (this.sorting.down ? " ↓" : " ↑") : ""),
    );
  }

  #sort(field) {
    const isSame = this.sorting?.field === field;
    // A third click returns to the order of the pages.
    this.sorting = !isSame ? { field, down: false } : this.sorting.down ? null : { field, down: true };
    this.#restart();
  }

  #row({ page, values, wrong }, fields) {
    const cell = (field) => {
      const problem = wrong[field];
      if (problem) return h("td", { class: "wrong", title: problem.reason }, problem.text);
      return h("td", { title: values[field]?.length > 40 ? values[field] : null }, values[field] || h("span", { class: "said" }, "missing"));
    };
    return h("tr", {}, h("td", { class: "page" }, page), fields.map(cell));
  }

  #chosen() {
    const { fields, rows } = this.data;
    const words = this.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const isChosen = {
      all: () => true,
      unseen: ({ accepted }) => !accepted,
      missing: ({ values, wrong }) => fields.some((field) => !values[field] && !wrong[field]),
      wrong: ({ wrong }) => Object.keys(wrong).length > 0,
    }[this.filter.value];
    return rows.filter((row) => {
      if (!isChosen(row)) return false;
      const text = [row.page, ...Object.values(row.values)].join("\n").toLocaleLowerCase();
      return words.every((word) => text.includes(word));
    });
  }
}

/** Rows in the order of a column: numbers and prices by their amounts, texts as people count; missing values last. */
function sorted(rows, sorting, types) {
  if (!sorting) return rows;
  const { field, down } = sorting;
  const isNumber = ["number", "integer", "price"].includes(types[field]);
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  const valueOf = ({ page, values }) => (field === null ? page : values[field]);
  const order = (left, right) => (isNumber ? parseFloat(left) - parseFloat(right) : compare(left, right));
  return rows.toSorted((first, second) => {
    const [left, right] = [valueOf(first), valueOf(second)];
    if (!left || !right) return left ? -1 : right ? 1 : 0;
    return down ? order(right, left) : order(left, right);
  });
}
