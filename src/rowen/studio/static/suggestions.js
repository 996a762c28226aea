/** "Suggested tables": the best tables of the pages, each with a sample and one click to use it. */
import { counted, fillChanged, h } from "./dom.js";

const SAMPLES = 3;
const COLUMNS = 6;

export class Suggestions {
  /** @param {HTMLElement} container @param {{use(table), hover(number | null)}} callbacks */
  constructor(container, callbacks) {
    this.container = container;
    this.callbacks = callbacks;
  }

  /** @param {{shown: boolean, busy: boolean, tables: import("./tables.js").Table[]}} state */
  show({ shown, busy, tables }) {
    this.container.hidden = !shown;
    if (!shown) return;
    fillChanged(this.container, [busy, tables], () => this.#content(busy, tables));
  }

  #content(busy, tables) {
    const title = h("h2", {}, "Suggested tables");
    if (busy) return [title, h("p", { class: "status busy", role: "status" }, "Looking for tables on the pages…")];
    if (!tables.length) {
      return [title, h("p", { class: "empty" }, "None: nothing on these pages repeats. Click the values that you want on the page above.")];
    }
    return [
      h("header", {}, title, h("p", {}, "Take one with a click. Or click the values that you want on the page above, one after the other.")),
      h("ul", { class: "cards" }, tables.map((table, number) => this.#card(table, number))),
    ];
  }

  #card(table, number) {
    const { columns, records, pages } = table;
    const shown = columns.slice(0, COLUMNS);
    const further = columns.length - shown.length;
    const rows = Array.from({ length: SAMPLES }, (_, row) => shown.map(({ samples }) => samples[row] ?? ""));
    return h(
      "li",
      { onmouseenter: () => this.callbacks.hover(number), onmouseleave: () => this.callbacks.hover(null), onfocusin: () => this.callbacks.hover(number), onfocusout: () => this.callbacks.hover(null) },
      h(
        "header",
        {},
        h("span", {}, `${counted(records, "record")} on ${counted(pages.length, "page")}`),
        h(
          "button",
          { type: "button", class: number === 0 ? "primary" : "", "data-key": `use ${number}`, "aria-label": `Use this table: ${shown.map(({ name }) => name).join(", ")}`, onclick: () => this.callbacks.use(table) },
          "Use this table",
        ),
      ),
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, shown.map(({ name }, place) => h("th", { scope: "col" }, h("span", { class: "dot", style: { "--color": `var(--field-${place % 9})` } }), name)))),
        h("tbody", {}, rows.filter((row) => row.some(Boolean)).map((row) => h("tr", {}, row.map((text) => h("td", {}, text))))),
      ),
      further > 0 && h("p", { class: "note" }, `and ${counted(further, "more column")}`),
    );
  }
}
