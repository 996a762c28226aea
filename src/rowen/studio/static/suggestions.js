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

  /** @param {{shown: boolean, busy: boolean, tables: import("./tables.js").Table[], data: object | null}} state  `data` is that of the view */
  show({ shown, busy, tables, data }) {
    this.container.hidden = !shown;
    if (!shown) return;
    fillChanged(this.container, [busy, tables, data?.bare, data?.shown], () => this.#content(busy, tables, data));
  }

  #content(busy, tables, data) {
    const title = h("h2", {}, "Suggested tables");
    if (busy) return [title, h("p", { class: "status busy", role: "status" }, "Looking for tables on the pages…")];
    if (!tables.length) {
      return [title, h("p", { class: "empty" }, `None: nothing on these pages repeats. ${wayOn(data)}`)];
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

/** What to do on a page without tables. */
function wayOn(data) {
  if (!data?.bare) return "Click the values that you want on the page above.";
  if (data.in_scripts) return "Click the values that you want in the page's data above.";
  return "The page's scripts would draw it, so add it as your browser shows it: saved as “Web page, complete”, as MHTML or with SingleFile.";
}
